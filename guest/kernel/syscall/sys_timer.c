/* System calls about timers: the three of setitimer, those of timer_create. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/divide.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/thread.h"
#include "syscall/clocks.h"
#include "syscall/syscall.h"

#define SECOND 1000000000u

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
    s32 number, error;

    error = clock_of(args[0], &wanted.whose);
    if (error)
        return error;
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
    wanted.by_date = clock_is_date(args[0]);
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
