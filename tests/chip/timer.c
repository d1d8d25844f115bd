// The timer interrupts a busy program and wakes a sleeping one.
// run: -n 1
// expect-stdout:
// 5 ticks while busy
// slept long enough
#include "chip.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>

/* 533 MHz: a millisecond has 533,333 cycles. */
#define MILLISECOND 533333u

static volatile sig_atomic_t ticks;

static void tick(int signal)
{
    (void)signal;
    ticks = ticks + 1;
}

int main(void)
{
    struct itimerval every = {{0, 1000}, {0, 1000}}, off = {0};
    struct timespec two = {0, 2000000};

    signal(SIGALRM, tick);
    uint32_t start = rdtsc_low();
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
    while (ticks < 5 && rdtsc_low() - start < 50 * MILLISECOND)
        ;
    CHECK(setitimer(ITIMER_REAL, &off, NULL) == 0);
    CHECK(ticks >= 5);
    puts("5 ticks while busy");

    start = rdtsc_low();
    CHECK(nanosleep(&two, NULL) == 0);
    uint32_t slept = rdtsc_low() - start;
    CHECK(slept >= 2 * MILLISECOND && slept < 20 * MILLISECOND);
    puts("slept long enough");
    return 0;
}
