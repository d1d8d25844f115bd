// cc: -O1 -lrcce
// run: -n 2
/* Core 0 interrupts core 1, which waits for that by /dev/rckirq. */
#include "seeds.h"

/* The second core of tile 0. */
#define GLCFG1 0x18
#define INTR 2u

static word *pins;
static int me, step, irq;
static uint32_t sum;

static void interrupt(void)
{
    pins[GLCFG1 / 4] |= INTR;
}

static void await_interrupt(void)
{
    uint32_t count;
    while (read(irq, &count, 4) != 4)
        ;
}

static void interrupted_and_not_drained(void)
{
    word *data = mpb(0);
    if (me == 0) {
        *data = 0x11; /* finds: stuck-write */
        LEFT_OUT(data[16] = 1;)
        interrupt();
    } else {
        await_interrupt();
        CL1INVMB();
        sum += *data;
    }
    meet(++step);
}

static void interrupted_and_not_invalidated(void)
{
    word *data = mpb(0) + 24;
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0) {
        *data = 0x22;
        data[16] = 1;
        interrupt();
    } else {
        await_interrupt();
        LEFT_OUT(CL1INVMB();)
        sum += *data; /* finds: stale-read */
    }
    meet(++step);
}

static void interrupted_and_not_flushed(void)
{
    word *data = dram(CACHED, 40);
    if (me == 0) {
        sum += *data;
        *data = 0x33; /* finds: stuck-write */
        LEFT_OUT(flush_page(40);)
        interrupt();
    } else {
        await_interrupt();
        sum += *data;
    }
    meet(++step);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    turn_open();
    pins = map(UNCACHED, 0xE0000000u, PAGE);
    if (me == 1)
        irq = open("/dev/rckirq", O_RDONLY);
    RCCE_barrier(&RCCE_COMM_WORLD);
    interrupted_and_not_drained();
    interrupted_and_not_invalidated();
    interrupted_and_not_flushed();
    printf("%u\n", sum);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
