// Loops that wait, in every way that programs do, while others hit them:
// the same with and without skipping (tests/chip/test_ways.py).
// run: -n 4 --tag none
// cc: -lrcce
// expect-match: late by
#include "RCCE.h"
#include "chip.h"

#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;

static void tick(int signal)
{
    (void)signal;
    ticks = ticks + 1;
}

/* Polls a word of MPB until it is `value` or time is over; what the loop
 * knows of time is gone when it asks again. */
static int poll_until(word *flag, uint32_t value, uint32_t start,
                      uint32_t cycles)
{
    int late;
    do {
        late = rdtsc_low() - start > cycles;
        cl1invmb();
        if (*flag == value)
            return 1;
        __asm__ volatile("xor %%eax, %%eax\n\txor %%edx, %%edx\n\tcmp %0, %0"
                         :
                         : "r"(flag)
                         : "eax", "edx", "cc");
    } while (!late);
    return 0;
}

/* One uncached word, counted down by the neighbour while this core has a
 * timer running. */
static uint32_t wait_with_timer(word *count)
{
    struct itimerval every = {{0, 200}, {0, 200}}, off = {0};
    uint32_t polls = 0;

    signal(SIGALRM, tick);
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
    while (*count != 0)
        polls++;
    CHECK(setitimer(ITIMER_REAL, &off, NULL) == 0);
    return polls;
}

int main(int argc, char **argv)
{
    CHECK(RCCE_init(&argc, &argv) == 0);
    int me = RCCE_ue(), all = RCCE_num_ues();
    start_turns();
    word *count = turns + 64;

    /* Nobody frees this lock before its keeper has worked for a while. */
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        RCCE_acquire_lock(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0) {
        wait_cycles(60000);
        RCCE_release_lock(0);
    } else {
        RCCE_acquire_lock(0);
        wait_cycles(100);
        RCCE_release_lock(0);
    }

    /* A flag in cached shared memory would stay stale: polled in vain. */
    uint32_t start = rdtsc_low();
    word *own = map_mpb(my_core());
    CHECK(poll_until(own + 8 * 100, 0x12345678, start, 40000) == 0);
    uint32_t late = rdtsc_low() - start;
    CHECK(late > 40000 && late < 80000);

    /* A neighbour counts while the alarm rings. */
    if (me == 0)
        *count = 3;
    RCCE_barrier(&RCCE_COMM_WORLD);
    uint32_t polls = 0;
    if (me == 0)
        for (int n = 3; n-- > 0;) {
            wait_cycles(150000);
            *count = (uint32_t)n;
        }
    else
        polls = wait_with_timer(count);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == all - 1)
        printf("late by %u, %u polls, %d ticks\n", late - 40000, polls,
               (int)ticks);
    return RCCE_finalize();
}
