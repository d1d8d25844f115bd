/* System calls about time: clocks, sleeping. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/divide.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/thread.h"
#include "syscall/clocks.h"
#include "syscall/syscall.h"

#define SECOND 1000000000u
#define CLOCK_TICK_NANOSECONDS 10000000u

bool clock_is_date(u32 clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
           clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

/* The number of a process's or thread's clock, as C libraries make it: above
 * its three lowest bits the complement of the number of the process or thread. */
#define CLOCK_KIND 3u
#define CLOCK_KIND_CPU 2u
#define CLOCK_OF_THREAD 4u

static s32 clock_of_number(u32 clock, s32 *whose)
{
    s32 id = ~((s32)clock >> 3);

    if ((clock & CLOCK_KIND) > CLOCK_KIND_CPU)
        return -EINVAL;
    if (!(clock & CLOCK_OF_THREAD)) {
        *whose = CPU_OF_PROCESS;
        return id == 0 || id == process_id() ? 0 : -EINVAL;
    }
    *whose = id ? id : current->id;
    return thread_of(*whose) ? 0 : -EINVAL;
}

/* Finds the process or thread whose processor time a clock counts. */
s32 clock_of(u32 clock, s32 *whose)
{
    *whose = CPU_OF_NOBODY;
    if ((s32)clock < 0)
        return clock_of_number(clock, whose);
    if (clock > CLOCK_LAST)
        return -EINVAL;
    if (clock == CLOCK_PROCESS_CPUTIME)
        *whose = CPU_OF_PROCESS;
    if (clock == CLOCK_THREAD_CPUTIME)
        *whose = current->id;
    return 0;
}

static s32 now(u32 clock, u64 *nanoseconds)
{
    s32 whose;
    s32 error = clock_of(clock, &whose);

    if (!error)
        *nanoseconds =
            clock_is_date(clock) ? clock_epoch_nanoseconds() : time_of(whose);
    return error;
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
    s32 whose;
    s32 error = clock_of(args[0], &whose);

    if (error || !args[1])
        return error;
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

/* Until the clock shows the time; false when a signal ended the wait. Processor
 * time never passes faster than real time. */
static bool sleep_until(s32 whose, u64 end)
{
    u64 shown;

    if (whose == CPU_OF_NOBODY)
        return timer_sleep_until(end);
    while ((shown = time_of(whose)) < end)
        if (!timer_sleep_until(clock_nanoseconds() + (end - shown)))
            return false;
    return true;
}

/* Sleeps; an interrupted relative sleep reports what is left. A thread cannot
 * wait for time of its own. */
static s32 sleep(u32 clock, bool absolute, u32 request, u32 remainder,
                 bool wide)
{
    u64 duration;
    u64 start;
    u64 end;
    s32 whose;
    s32 error = get_time(request, wide, &duration);

    if (!error)
        error = clock_of(clock, &whose);
    if (!error)
        error = now(clock, &start);
    if (!error && whose == current->id)
        error = -EINVAL;
    if (error)
        return error;
    if (absolute)
        duration = duration > start ? duration - start : 0;
    end = time_of(whose) + duration;
    if (sleep_until(whose, end))
        return 0;
    start = time_of(whose); /* perhaps the end has come meanwhile */
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

struct timeval32 timeval_of(u64 nanoseconds)
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

static u32 ticks_of(u64 nanoseconds)
{
    return (u32)divide(nanoseconds, CLOCK_TICK_NANOSECONDS, NULL);
}

s32 sys_times(const u32 *args)
{
    /* User and system time of the process, then of its children. */
    u32 times[4] = {ticks_of(time_of(CPU_OF_PROCESS)), 0,
                    ticks_of(cpu_of_children()), 0};

    if (args[0] && copy_out(args[0], times, sizeof(times)))
        return -EFAULT;
    return (s32)ticks_of(clock_nanoseconds());
}
