/* poll and select: what is ready, or a wait until a time or a signal. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "drivers/drivers.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/signal.h"
#include "syscall/syscall.h"

#define DESCRIPTORS_MAX 1024u
#define FOR_EVER (~0ull)

/* What a call of select looks for: to read, to write, exceptions. */
struct fd_sets {
    u32 words[3][DESCRIPTORS_MAX / 32];
};

u32 ready_of(u32 descriptor)
{
    struct file *file = file_of(descriptor);
    u32 ready;

    if (!file)
        return POLLNVAL;
    ready = file->ops->ready ? file->ops->ready(file) : POLLIN | POLLOUT;
    return ready | (ready & POLLIN ? POLLRDNORM : 0) |
           (ready & POLLOUT ? POLLWRNORM : 0);
}

/* Nothing is ready: time, a signal or another core's interrupt can change
 * that. True: look again. False: `*result` is what the call returns. */
bool poll_wait_once(u64 deadline, s32 *result)
{
    if (signal_waiting()) {
        *result = -EINTR;
        return false;
    }
    if (deadline != FOR_EVER && clock_nanoseconds() >= deadline) {
        *result = 0;
        return false;
    }
    timer_wait(deadline);
    return true;
}

static u64 deadline_after(u64 nanoseconds)
{
    return clock_nanoseconds() + nanoseconds;
}

static s32 poll_once(struct pollfd *fds, u32 count)
{
    s32 found = 0;

    for (u32 n = 0; n < count; n++) {
        u32 always = POLLERR | POLLHUP | POLLNVAL;

        fds[n].revents = 0;
        if (fds[n].fd >= 0)
            fds[n].revents =
                (u16)(ready_of((u32)fds[n].fd) & (fds[n].events | always));
        found += fds[n].revents != 0;
    }
    return found;
}

static s32 poll_until(u32 address, u32 count, u64 deadline)
{
    struct pollfd *fds = (struct pollfd *)address;
    s32 found;

    if (count > DESCRIPTORS_MAX)
        return -EINVAL;
    if (!user_writable(address, count * sizeof(*fds)))
        return -EFAULT;
    do
        found = poll_once(fds, count);
    while (!found && poll_wait_once(deadline, &found));
    return found;
}

u64 poll_deadline(s32 milliseconds)
{
    return milliseconds < 0 ? FOR_EVER
                            : deadline_after((u32)milliseconds * 1000000ull);
}

s32 sys_poll(const u32 *args)
{
    return poll_until(args[0], args[1], poll_deadline((s32)args[2]));
}

/* The deadline in a timespec; a null pointer means none. */
s32 poll_timespec_deadline(u32 address, bool wide, u64 *deadline)
{
    u64 time;
    s32 error;

    *deadline = FOR_EVER;
    if (!address)
        return 0;
    error = get_time(address, wide, &time);
    if (!error)
        *deadline = deadline_after(time);
    return error;
}

/* ppoll and pselect have a mask of signals, at that address unless it is
 * null: the thread's own until the call ends. */
s32 poll_lend_mask(u32 address, u32 size)
{
    u64 mask;

    if (!address)
        return 0;
    if (size != sizeof(mask))
        return -EINVAL;
    if (copy_in(&mask, address, sizeof(mask)))
        return -EFAULT;
    signals_lend(mask);
    return 0;
}

/* After a signal the mask goes back when its handler has been entered. */
s32 poll_return_mask(s32 result)
{
    if (result != -EINTR)
        signals_return();
    return result;
}

static s32 poll_timespec(const u32 *args, bool wide)
{
    u64 deadline;
    s32 error = poll_timespec_deadline(args[2], wide, &deadline);

    if (!error)
        error = poll_lend_mask(args[3], args[4]);
    return error ? error
                 : poll_return_mask(poll_until(args[0], args[1], deadline));
}

s32 sys_ppoll32(const u32 *args)
{
    return poll_timespec(args, false);
}

s32 sys_ppoll64(const u32 *args)
{
    return poll_timespec(args, true);
}

/* The bits of one fd_set that are ready; counts them. */
static s32 filter(u32 *words, u32 count, u32 events, s32 *found)
{
    for (u32 fd = 0; fd < count; fd++) {
        u32 bit = 1u << fd % 32;
        u32 ready;

        if (!(words[fd / 32] & bit))
            continue;
        ready = ready_of(fd);
        if (ready & POLLNVAL)
            return -EBADF;
        if (ready & events)
            *found += 1;
        else
            words[fd / 32] &= ~bit;
    }
    if (count % 32)
        words[count / 32] &= (1u << count % 32) - 1;
    return 0;
}

/* Looks once at the three sets of the call; `sets` gets what is ready. */
static s32 select_once(const u32 *args, struct fd_sets *sets)
{
    static const u32 events[] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR,
                                 0};
    u32 bytes = (args[0] + 31) / 32 * 4;
    s32 found = 0, error = 0;

    for (u32 n = 0; n < COUNT(events) && !error; n++) {
        if (!args[1 + n])
            continue;
        error = copy_in(sets->words[n], args[1 + n], bytes);
        if (!error)
            error = filter(sets->words[n], args[0], events[n], &found);
    }
    return error ? error : found;
}

static s32 select_until(const u32 *args, u64 deadline)
{
    struct fd_sets sets;
    s32 found, error = 0;

    if (args[0] > DESCRIPTORS_MAX)
        return -EINVAL;
    do
        found = select_once(args, &sets);
    while (!found && poll_wait_once(deadline, &found));
    for (u32 n = 0; n < 3 && found >= 0 && !error; n++)
        if (args[1 + n])
            error =
                copy_out(args[1 + n], sets.words[n], (args[0] + 31) / 32 * 4);
    return error ? error : found;
}

s32 sys_select(const u32 *args)
{
    struct timeval32 time;
    u64 deadline = FOR_EVER;

    if (args[4]) {
        if (copy_in(&time, args[4], sizeof(time)))
            return -EFAULT;
        if (time.seconds < 0 || time.microseconds < 0)
            return -EINVAL;
        deadline = deadline_after((u32)time.seconds * 1000000000ull +
                                  (u32)time.microseconds * 1000ull);
    }
    return select_until(args, deadline);
}

static s32 select_timespec(const u32 *args, bool wide)
{
    u64 deadline;
    u32 mask[2] = {0}; /* its address and size */
    s32 error = poll_timespec_deadline(args[4], wide, &deadline);

    if (!error && args[5])
        error = copy_in(mask, args[5], sizeof(mask));
    if (!error)
        error = poll_lend_mask(mask[0], mask[1]);
    return error ? error : poll_return_mask(select_until(args, deadline));
}

s32 sys_pselect32(const u32 *args)
{
    return select_timespec(args, false);
}

s32 sys_pselect64(const u32 *args)
{
    return select_timespec(args, true);
}
