// cc: -O1 -DGORY -lircce -lrcce
// run: -n 2
/* Programs with RCCE's gory interface and iRCCE that go past it. */
#include "iRCCE.h"
#include "seeds.h"

static RCCE_FLAG ready;
static int me, step;
static uint32_t sum;

static void store_by_pointer(t_vcharp combuf)
{
    word *data = (word *)combuf;
    if (me == 0)
        *data = 0x11; /* finds: stuck-write */
    LEFT_OUT(RCCE_flag_write(&ready, RCCE_FLAG_UNSET, me);)
    meet(++step);
    if (me == 1) {
        char copy[32];
        RCCE_get((t_vcharp)copy, combuf, 32, 0);
        sum += (uint32_t)copy[0];
    }
    meet(++step);
    RCCE_flag_write(&ready, RCCE_FLAG_UNSET, me);
}

static void load_by_pointer(t_vcharp combuf)
{
    char line[32] __attribute__((aligned(32))) = "0123456789";
    word *remote = mpb(0);
    (void)combuf;
    if (me == 1)
        sum += remote[0];
    meet(++step);
    if (me == 0) {
        iRCCE_memcpy_put((void *)remote, line, 32);
        RCCE_flag_write(&ready, RCCE_FLAG_UNSET, 0);
    }
    meet(++step);
    if (me == 1) {
        LEFT_OUT(CL1INVMB();)
        sum += remote[0]; /* finds: stale-read */
    }
    meet(++step);
}

static void shared_block_and_a_cached_map(void)
{
    word *block = (word *)RCCE_shmalloc(64);
    /* The first block of RCCE_shmalloc, by the device for cached memory. */
    word *cached = map(CACHED, 0x80000000u, PAGE);
    if (me == 1)
        sum += cached[0];
    meet(++step);
    if (me == 0)
        block[0] = 0x33;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) {
        LEFT_OUT(RCCE_DCMflush();)
        sum += cached[0]; /* finds: mixed-mapping */
    }
    meet(++step);
}

static void message_into_shared_memory(void)
{
    static uint32_t text[8] = {0x44, 0x45};
    word *inbox = dram(CACHED, 30);
    if (me == 1) {
        sum += inbox[0];
        RCCE_FLAG_STATUS status;
        RCCE_flag_read(ready, &status, 1);
    }
    meet(++step);
    if (me == 0)
        memcpy((void *)dram(UNCACHED, 30), text, sizeof text);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) {
        LEFT_OUT(flush_page(30);)
        sum += inbox[1]; /* finds: mixed-mapping */
    }
    meet(++step);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    me = RCCE_ue();
    turn_open();
    t_vcharp combuf = RCCE_malloc(256);
    RCCE_flag_alloc(&ready);
    RCCE_barrier(&RCCE_COMM_WORLD);
    store_by_pointer(combuf);
    load_by_pointer(combuf);
    shared_block_and_a_cached_map();
    message_into_shared_memory();
    printf("%u\n", sum);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
