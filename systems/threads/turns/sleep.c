/*
 * sleep.c: nanosleep and sched_yield. Both commit and reconcile: programs that
 * look at a variable from time to time see it change.
 */
#include "../threads.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE 5000000 /* nanoseconds; then a new thread of this core is seen */
#define SECOND 1000000000ll

static int64_t now_in(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

/* The core sleeps for some of the time; false: a signal that is not ours. */
static int sleep_alone(int64_t left)
{
    const struct timespec time = {.tv_nsec =
                                      (long)(left < SLICE ? left : SLICE)};
    uint32_t before = crf_own_signals();
    long error =
        syscall(SYS_clock_nanosleep_time64, CLOCK_REALTIME, 0, &time, NULL);

    crf_drop_mails();
    crf_look_for_news();
    return !error || errno != EINTR || crf_own_signals() != before;
}

static int sleep_with_others(int64_t left)
{
    crf_rest((uint32_t)(left < SLICE ? left : SLICE) / 2);
    return 1;
}

/* Until a time of the clock, or a signal: then the nanoseconds left. */
static int64_t sleep_until(clockid_t clock, int64_t end)
{
    uint32_t handled = crf_running ? crf_running->handled : 0;
    int64_t left;
    int goes_on = 1;

    pthread_testcancel();
    crf_release();
    crf_look_for_news(); /* a new thread of this core runs meanwhile */
    while (goes_on && (left = end - now_in(clock)) > 0) {
        goes_on = crf_is_alone() ? sleep_alone(left) : sleep_with_others(left);
        pthread_testcancel();
        if (crf_running && crf_running->handled != handled)
            goes_on = 0;
    }
    crf_acquire();
    return goes_on ? 0 : left;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                    struct timespec *left)
{
    int64_t end = time->tv_sec * SECOND + time->tv_nsec, rest;

    if (time->tv_nsec < 0 || time->tv_nsec >= SECOND || time->tv_sec < 0)
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        end += now_in(clock);
    rest = sleep_until(clock, end);
    if (rest > 0 && left && !(flags & TIMER_ABSTIME)) {
        left->tv_sec = (time_t)(rest / SECOND);
        left->tv_nsec = (long)(rest % SECOND);
    }
    return rest > 0 ? EINTR : 0;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
    int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);

    if (error)
        errno = error;
    return error ? -1 : 0;
}

int sched_yield(void)
{
    crf_release();
    crf_look_again();
    crf_yield();
    crf_acquire();
    return 0;
}

/* After a try in vain: longer each time, by chance, so that those who try do
 * not keep in step; others of this core come first. */
void crf_back_off(void)
{
    static uint32_t chance, doublings;
    static uint64_t last;
    uint64_t now = __builtin_ia32_rdtsc();

    doublings = now - last > 100000 ? 0 : doublings + (doublings < 6);
    chance = chance * 1103515245u + 12345u + (uint32_t)crf_my_rank;
    for (uint32_t turn = (chance >> 16) % (64u << doublings); turn; turn--)
        __asm__ volatile("");
    crf_watch_while_awake();
    crf_yield();
    last = __builtin_ia32_rdtsc();
}
