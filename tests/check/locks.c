// cc: -O1 -lrcce_sync -lircce -lrcce
// run: -n 2
/* Test-and-set registers and atomic counters: order that they give, and data
 * that they do not carry. */
#include "RCCE_sync.h"
#include "seeds.h"

static word *buffer, *other, *reg;
static iRCCE_AIR *air;
static int me, step;
static uint32_t sum;

/* Core 0 first, and then core 1, each under the lock. */
static void in_turn(int core)
{
    if (core == 1)
        after(0, step + 1);
    lock(reg);
}

static void leave(void)
{
    unlock(reg);
    done(++step);
}

static void guards_an_old_copy(void)
{
    word *data = buffer;
    if (me == 1)
        sum += *data;
    meet(++step);
    lock(reg);
    if (me == 0) {
        *data = 0x11;
        other[0] = 1;
    }
    unlock(reg);
    meet(++step);
    lock(reg);
    if (me == 1) {
        LEFT_OUT(CL1INVMB();)
        sum += *data; /* finds: stale-read */
    }
    unlock(reg);
    meet(++step);
}

static void guards_what_is_not_drained(void)
{
    word *data = buffer + 8;
    in_turn(me);
    CL1INVMB();
    sum += *data;
    *data = 0x20u + (uint32_t)me; /* finds: stuck-write */
    LEFT_OUT(other[8 * me] = 2;)
    leave();
    meet(++step);
    other[8 * me] = 2;
    meet(++step);
}

static void guards_a_cached_counter(void)
{
    word *count = dram(CACHED, 20);
    sum += *count;
    meet(++step);
    in_turn(me);
    LEFT_OUT(flush_page(20);)
    *count += 0x31; /* finds: stuck-write */
    LEFT_OUT(flush_page(20);)
    leave();
    meet(++step);
}

static void drained_after_the_release(void)
{
    word *data = buffer + 16;
    if (me == 0) {
        lock(reg);
        *data = 0x44; /* finds: stuck-write */
        LEFT_OUT(other[0] = 3;)
        unlock(reg);
    }
    meet(++step);
    if (me == 1) {
        lock(reg);
        CL1INVMB();
        sum += *data;
        unlock(reg);
    }
    meet(++step);
    other[8 * me] = 3;
    meet(++step);
}

static void release(int whole)
{
    if (whole)
        unlock(reg + 0);
}

static void released_twice(void)
{
    word *own = lock_register(me);
    for (int n = 0; n < 4; n++) {
        lock(own);
        MISTAKE(int last = n == 3 ? 2 : 1;)
        LEFT_OUT(int last = 1;)
        for (int times = 0; times < last; times++)
            *own = 0; /* finds: lock-misuse */
    }
    meet(++step);
    release(0);
}

static void released_for_another(void)
{
    for (int n = 0; n < 8; n++) {
        if (n % 2 == me)
            lock(reg);
        meet(++step);
        int owner = n % 2;
        MISTAKE(if (n == 7) owner = 0;)
        if (me == owner)
            *reg = 0; /* finds: lock-misuse */
        meet(++step);
    }
}

static void counted_and_not_drained(void)
{
    word *data = buffer + 24;
    int count = 0;
    if (me == 0) {
        *data = 0x77; /* finds: stuck-write */
        LEFT_OUT(other[0] = 4;)
        iRCCE_atomic_inc(air, &count);
    } else {
        while (count == 0)
            iRCCE_atomic_read(air, &count);
        CL1INVMB();
        sum += *data;
    }
    meet(++step);
    other[8 * me] = 4;
    meet(++step);
}

static void counted_and_not_invalidated(void)
{
    word *data = buffer + 32;
    int count = 0;
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0) {
        *data = 0x88;
        other[0] = 5;
        iRCCE_atomic_inc(air, &count);
    } else {
        while (count < 2)
            iRCCE_atomic_read(air, &count);
        LEFT_OUT(CL1INVMB();)
        sum += *data; /* finds: stale-read */
    }
    meet(++step);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    me = RCCE_ue();
    buffer = mpb(0);
    other = mpb(0) + 512;
    reg = lock_register(0);
    turn_open();
    iRCCE_atomic_alloc(&air);
    if (me == 0)
        iRCCE_atomic_write(air, 0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    guards_an_old_copy();
    guards_what_is_not_drained();
    guards_a_cached_counter();
    drained_after_the_release();
    released_twice();
    released_for_another();
    counted_and_not_drained();
    counted_and_not_invalidated();
    printf("%u\n", sum);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
