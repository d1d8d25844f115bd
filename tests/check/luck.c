// cc: -O1 -lrcce
// run: -n 2
/* Programs whose results are right, by luck: what was written comes to memory
 * after its core has announced it, and before the other one looks. And values
 * of which some bytes are what they were. */
#include "seeds.h"

static word *buffer, *other, *reg;
static int me, step;
static double total;
static uint32_t sum;

static void take_time(void)
{
    for (volatile int n = 0; n < 8000; n++)
        ;
}

static void half_of_the_bytes_are_equal(void)
{
    volatile double *data = (volatile double *)dram(CACHED, 0);
    total += *data;
    meet(++step);
    if (me == 0) {
        *data = 1.0; /* finds: stuck-write */
        LEFT_OUT(flush_page(0);)
    }
    meet(++step);
    LEFT_OUT(flush_page(0);)
    if (me == 1)
        total += *data;
    meet(++step);
}

static void drained_by_what_comes_next(void)
{
    if (me == 0) {
        buffer[0] = 0x22; /* finds: late-write */
        LEFT_OUT(other[0] = 1;)
        done(++step);
        other[8] = 2;
    } else {
        after(0, ++step);
        take_time();
        CL1INVMB();
        sum += buffer[0];
    }
    meet(++step);
}

static void flushed_after_the_release(void)
{
    word *data = dram(CACHED, 1);
    meet(++step);
    if (me == 1)
        take_time();
    lock(reg);
    if (me == 0) {
        sum += *data;
        *data = 0x33; /* finds: late-write */
        LEFT_OUT(flush_page(1);)
    } else {
        sum += *data;
    }
    unlock(reg);
    flush_page(1);
    meet(++step);
}

static void released_again_elsewhere(void)
{
    word *own = lock_register(1);
    for (int n = 0; n < 4; n++) {
        if (me == 0) {
            lock(own);
            unlock(own);
        }
        if (n == 2 && me == 0)
            MISTAKE(*own = 0;) /* finds: lock-misuse */;
    }
    meet(++step);
    lock(own);
    unlock(own);
    meet(++step);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    buffer = mpb(0);
    other = mpb(0) + 512;
    reg = lock_register(0);
    turn_open();
    RCCE_barrier(&RCCE_COMM_WORLD);
    half_of_the_bytes_are_equal();
    drained_by_what_comes_next();
    flushed_after_the_release();
    released_again_elsewhere();
    printf("%u %d\n", sum, (int)total);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
