/* System calls about time: clocks, sleeping, timers. Process and thread times
 * are the time since the start: the core belongs to the program. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/divide.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/thread.h"
#include "syscall/syscall.h"

#define SECOND 1000000000u
#define CLOCK_TICK_NANOSECONDS 10000000u

static s32 now(u32 clock, u64 *nanoseconds)
{
    /* 0 real time, 5 its coarse form, 11 TAI; all others start at zero. */
    if (clock > CLOCK_LAST)
        return -EINVAL;
    *nanoseconds = clock == CLOCK_REALTIME || clock == 5 || clock == 11
                       ? clock_epoch_nanoseconds()
                       : clock_nanoseconds();
    return 0;
}

static s32 gettime(const u32 *args, bool wide)
{
    u64 time;
    s32 error = now(args[0], &time);

    return error ? error : put_time(args[1], time, wide);
}

s32 sys_clock_gettime32(const u32 *args)
{
    return gettime(args, false);
}

s32 sys_clock_gettime64(const u32 *args)
{
    return gettime(args, true);
}

static s32 getres(const u32 *args, bool wide)
{
    if (args[0] > CLOCK_LAST)
        return -EINVAL;
    return put_time(args[1], (cycle_picoseconds + 999) / 1000, wide);
}

s32 sys_clock_getres32(const u32 *args)
{
    return getres(args, false);
}

s32 sys_clock_getres64(const u32 *args)
{
    return getres(args, true);
}

/* Sleeps; an interrupted relative sleep reports what is left. */
static s32 sleep(u32 clock, bool absolute, u32 request, u32 remainder,
                 bool wide)
{
    u64 duration;
    u64 start;
    u64 end;
    s32 error = get_time(request, wide, &duration);

    if (!error)
        error = now(clock, &start);
    if (error)
        return error;
    if (absolute)
        duration = duration > start ? duration - start : 0;
    end = clock_nanoseconds() + duration;
    if (timer_sleep_until(end))
        return 0;
    start = clock_nanoseconds(); /* perhaps the end has come meanwhile */
    if (!absolute && put_time(remainder, end > start ? end - start : 0, wide))
        return -EFAULT;
    return -EINTR;
}

s32 sys_nanosleep(const u32 *args)
{
    return sleep(CLOCK_MONOTONIC, false, args[0], args[1], false);
}

s32 sys_clock_nanosleep32(const u32 *args)
{
    return sleep(args[0], args[1] & TIMER_ABSTIME, args[2], args[3], false);
}

s32 sys_clock_nanosleep64(const u32 *args)
{
    return sleep(args[0], args[1] & TIMER_ABSTIME, args[2], args[3], true);
}

static struct timeval32 timeval_of(u64 nanoseconds)
{
    u32 rest;
    s32 seconds = (s32)divide(nanoseconds, SECOND, &rest);

    return (struct timeval32){seconds, (s32)(rest / 1000)};
}

s32 sys_gettimeofday(const u32 *args)
{
    struct timeval32 time = timeval_of(clock_epoch_nanoseconds());
    u32 zone[2] = {0, 0};

    if (args[0] && copy_out(args[0], &time, sizeof(time)))
        return -EFAULT;
    return args[1] ? copy_out(args[1], zone, sizeof(zone)) : 0;
}

s32 sys_time(const u32 *args)
{
    s32 seconds = (s32)divide(clock_epoch_nanoseconds(), SECOND, NULL);

    if (args[0] && copy_out(args[0], &seconds, sizeof(seconds)))
        return -EFAULT;
    return seconds;
}

s32 sys_times(const u32 *args)
{
    u32 ticks = (u32)divide(clock_nanoseconds(), CLOCK_TICK_NANOSECONDS, NULL);
    u32 times[4] = {ticks, 0, 0, 0}; /* user, system, children's */

    if (args[0] && copy_out(args[0], times, sizeof(times)))
        return -EFAULT;
    return (s32)ticks;
}

static u64 nanoseconds_of(struct timeval32 time)
{
    return (u64)(u32)time.seconds * SECOND + (u64)(u32)time.microseconds * 1000;
}

static s32 put_alarm(u32 address, u64 value, u64 interval)
{
    struct itimerval32 timer = {timeval_of(interval), timeval_of(value)};

    return address ? copy_out(address, &timer, sizeof(timer)) : 0;
}

static bool is_timeval(struct timeval32 time)
{
    return time.seconds >= 0 && (u32)time.microseconds < SECOND / 1000;
}

/* Real, virtual and profiling time are the same here; the signals differ. */
s32 sys_setitimer(const u32 *args)
{
    struct itimerval32 timer = {0};
    u64 old_value;
    u64 old_interval;

    if (args[0] >= ALARMS)
        return -EINVAL;
    if (args[1] && copy_in(&timer, args[1], sizeof(timer)))
        return -EFAULT;
    if (!is_timeval(timer.value) || !is_timeval(timer.interval))
        return -EINVAL;
    timer_get_alarm(args[0], &old_value, &old_interval);
    timer_set_alarm(args[0], nanoseconds_of(timer.value),
                    nanoseconds_of(timer.interval));
    return put_alarm(args[2], old_value, old_interval);
}

s32 sys_getitimer(const u32 *args)
{
    u64 value;
    u64 interval;

    if (args[0] >= ALARMS)
        return -EINVAL;
    timer_get_alarm(args[0], &value, &interval);
    return put_alarm(args[1], value, interval);
}

s32 sys_alarm(const u32 *args)
{
    u64 value;
    u64 interval;

    timer_get_alarm(0, &value, &interval);
    timer_set_alarm(0, (u64)args[0] * SECOND, 0);
    return (s32)divide(value + SECOND - 1, SECOND, NULL);
}

enum { SIGEV_SIGNAL, SIGEV_NONE, SIGEV_THREAD, SIGEV_THREAD_ID = 4 };

/* i386's struct sigevent, as far as the kernel reads it. */
struct event {
    u32 value;
    s32 signal, notify, thread;
};

s32 sys_timer_create(const u32 *args)
{
    struct event event = {.signal = SIGALRM};
    struct timer_event wanted = {0};
    s32 number;

    if (args[0] > CLOCK_LAST)
        return -EINVAL;
    if (args[1] && copy_in(&event, args[1], sizeof(event)))
        return -EFAULT;
    if (event.notify != SIGEV_NONE &&
        (event.signal < 1 || event.signal > SIGNALS))
        return -EINVAL;
    if (event.notify == SIGEV_THREAD_ID) {
        if (!thread_of(event.thread))
            return -EINVAL;
        wanted.thread = event.thread;
    } else if (event.notify != SIGEV_SIGNAL && event.notify != SIGEV_NONE) {
        return -EINVAL;
    }
    wanted.signal = event.notify == SIGEV_NONE ? 0 : (u32)event.signal;
    wanted.value = event.value;
    wanted.value_given = args[1] != 0;
    wanted.by_date = args[0] == CLOCK_REALTIME;
    number = posix_timer_new(&wanted);
    if (number < 0)
        return number;
    if (copy_out(args[2], &number, sizeof(number))) {
        posix_timer_delete((u32)number);
        return -EFAULT;
    }
    return 0;
}

/* Puts interval and what is left, two timespecs. */
static s32 put_times(u32 number, u32 address, bool wide)
{
    u32 size = wide ? sizeof(struct timespec64) : sizeof(struct timespec32);
    u64 left;
    u64 interval;
    s32 error = posix_timer_get(number, &left, &interval);

    if (error || !address)
        return error;
    error = put_time(address, interval, wide);
    return error ? error : put_time(address + size, left, wide);
}

static s32 set(const u32 *args, bool wide)
{
    u32 size = wide ? sizeof(struct timespec64) : sizeof(struct timespec32);
    u64 value, interval;
    s32 error = get_time(args[2], wide, &interval);

    if (!error)
        error = get_time(args[2] + size, wide, &value);
    if (!error)
        error = put_times(args[0], args[3], wide);
    if (error)
        return error;
    return posix_timer_set(args[0], value, args[1] & TIMER_ABSTIME, interval);
}

s32 sys_timer_settime32(const u32 *args)
{
    return set(args, false);
}

s32 sys_timer_settime64(const u32 *args)
{
    return set(args, true);
}

s32 sys_timer_gettime32(const u32 *args)
{
    return put_times(args[0], args[1], false);
}

s32 sys_timer_gettime64(const u32 *args)
{
    return put_times(args[0], args[1], true);
}

s32 sys_timer_getoverrun(const u32 *args)
{
    return posix_timer_overruns(args[0]);
}

s32 sys_timer_delete(const u32 *args)
{
    return posix_timer_delete(args[0]);
}
