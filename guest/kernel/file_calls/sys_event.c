/* System calls that make files of what is no file: counters, timers, signals.
 */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/process.h"
#include "syscall/clocks.h"
#include "syscall/syscall.h"

#define MASK_SIZE 8u

static s32 descriptor_of(struct file *file, u32 flags)
{
    s32 descriptor = descriptor_new(file, 0, flags & O_CLOEXEC);

    return descriptor < 0 ? -EMFILE : descriptor;
}

static s32 make_event(u32 counter, u32 flags)
{
    struct file *file;
    s32 error = event_new(counter, flags, &file);

    return error ? error : descriptor_of(file, flags);
}

s32 sys_eventfd(const u32 *args)
{
    return make_event(args[0], 0);
}

s32 sys_eventfd2(const u32 *args)
{
    return make_event(args[0], args[1]);
}

/* Processor time has no such timers. */
static bool may_be_read(u32 clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ||
           clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME_ALARM ||
           clock == CLOCK_BOOTTIME_ALARM;
}

s32 sys_timerfd_create(const u32 *args)
{
    struct file *file;
    s32 error;

    if (!may_be_read(args[0]) || args[1] & ~(O_NONBLOCK | O_CLOEXEC))
        return -EINVAL;
    error = timer_file_new(clock_is_date(args[0]), args[1], &file);
    return error ? error : descriptor_of(file, args[1]);
}

static s32 timer_behind(u32 descriptor, u32 *number)
{
    const struct file *file = file_of(descriptor);

    if (!file)
        return -EBADF;
    return timer_file_number(file, number) ? 0 : -EINVAL;
}

/* The arguments are those of timer_settime and timer_gettime, but the first is
 * a descriptor instead of a timer's number. */
static s32 set_timer(const u32 *args, s32 (*set)(const u32 *args))
{
    u32 words[4] = {0, args[1], args[2], args[3]};
    s32 error = timer_behind(args[0], &words[0]);

    return error ? error : set(words);
}

s32 sys_timerfd_settime32(const u32 *args)
{
    return set_timer(args, sys_timer_settime32);
}

s32 sys_timerfd_settime64(const u32 *args)
{
    return set_timer(args, sys_timer_settime64);
}

s32 sys_timerfd_gettime32(const u32 *args)
{
    return set_timer(args, sys_timer_gettime32);
}

s32 sys_timerfd_gettime64(const u32 *args)
{
    return set_timer(args, sys_timer_gettime64);
}

static s32 signals_of(u32 descriptor, u32 address, u32 size, u32 flags)
{
    struct file *file;
    u64 mask;
    s32 error;

    if (size != MASK_SIZE || flags & ~(O_NONBLOCK | O_CLOEXEC))
        return -EINVAL;
    if (copy_in(&mask, address, sizeof(mask)))
        return -EFAULT;
    if ((s32)descriptor == -1) {
        error = signal_file_new(mask, flags, &file);
        return error ? error : descriptor_of(file, flags);
    }
    file = file_of(descriptor);
    if (!file)
        return -EBADF;
    return signal_file_set(file, mask) ? (s32)descriptor : -EINVAL;
}

s32 sys_signalfd(const u32 *args)
{
    return signals_of(args[0], args[1], args[2], 0);
}

s32 sys_signalfd4(const u32 *args)
{
    return signals_of(args[0], args[1], args[2], args[3]);
}
