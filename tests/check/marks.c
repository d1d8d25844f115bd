// cc: -O1 -lrcce
// run: -n 2
/* An order that only marks declare: the cores keep apart by time. */
#include "rck_check.h"
#include "seeds.h"

static int me, step;
static uint32_t sum;

static void pause_ms(int count)
{
    usleep((unsigned)count * 1000);
}

static void marked_and_not_drained(void)
{
    word *data = mpb(0);
    if (me == 0) {
        *data = 0x11; /* finds: stuck-write */
        LEFT_OUT(data[16] = 1;)
        rck_check_release(0);
    } else {
        pause_ms(2);
        rck_check_acquire(0);
        CL1INVMB();
        sum += *data;
    }
    meet(++step);
}

static void marked_and_not_invalidated(void)
{
    word *data = mpb(0) + 24;
    static int object;
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0) {
        pause_ms(1);
        *data = 0x22;
        data[16] = 1;
        rck_check_release(&object);
    } else {
        pause_ms(4);
        rck_check_acquire(&object);
        LEFT_OUT(CL1INVMB();)
        sum += *data; /* finds: stale-read */
    }
    meet(++step);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    turn_open();
    RCCE_barrier(&RCCE_COMM_WORLD);
    marked_and_not_drained();
    marked_and_not_invalidated();
    printf("%u\n", sum);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
