/* epoll: a set of descriptors that are asked together.
 *
 * An instance looks at its descriptors when it is asked. With EPOLLET it
 * reports one again after any event of the program's files: once too often
 * rather than too seldom. An instance cannot watch another one. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/thread.h"
#include "syscall/syscall.h"

#define WATCHES 256u /* of all instances: as many as descriptors */

enum { EPOLL_CTL_ADD = 1, EPOLL_CTL_DEL, EPOLL_CTL_MOD };
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)
#define ALWAYS (POLLERR | POLLHUP)

struct epoll_event {
    u32 events, data[2];
};

static struct watch {
    u32 owner; /* the instance's opening; 0: this entry is free */
    u32 descriptor, opening;
    struct epoll_event event;
    u32 seen, events_before; /* what was ready when it was reported */
} watches[WATCHES];

static bool is_open(const struct watch *watch)
{
    const struct file *file = file_of(watch->descriptor);

    return file && file->opening == watch->opening;
}

/* What is to be reported of it. */
static u32 news(const struct watch *watch)
{
    u32 wanted = watch->event.events;
    u32 ready = ready_of(watch->descriptor) & wanted;

    if (wanted & EPOLLET && watch->events_before == thread_events)
        return ready & ~watch->seen;
    return ready;
}

static void reported(struct watch *watch, u32 ready)
{
    if (watch->event.events & EPOLLONESHOT)
        watch->event.events &= EPOLLET | EPOLLONESHOT;
    watch->seen = ready;
    watch->events_before = thread_events;
}

/* Puts at most `most` events there; those that came last go first next time,
 * so that each has its turn. */
static s32 report(u32 owner, u32 address, u32 most)
{
    static u32 first;
    u32 found = 0, last = first;

    for (u32 n = 0; n < WATCHES && found < most; n++) {
        struct watch *watch = &watches[(first + n) % WATCHES];
        struct epoll_event *out = (struct epoll_event *)address + found;
        u32 ready;

        if (watch->owner != owner)
            continue;
        if (!is_open(watch)) {
            watch->owner = 0;
            continue;
        }
        ready = news(watch);
        if (!ready)
            continue;
        *out = watch->event;
        out->events = ready;
        reported(watch, ready);
        last = (u32)(watch - watches) + 1;
        found++;
    }
    first = last % WATCHES;
    return (s32)found;
}

static u32 epoll_ready(struct file *file)
{
    for (u32 n = 0; n < WATCHES; n++)
        if (watches[n].owner == file->opening && is_open(&watches[n]) &&
            news(&watches[n]))
            return POLLIN;
    return 0;
}

static void epoll_close(struct file *file)
{
    for (u32 n = 0; n < WATCHES; n++)
        if (watches[n].owner == file->opening)
            watches[n].owner = 0;
}

static const struct file_ops epoll_ops = {
    .status = inner_status,
    .ready = epoll_ready,
    .close = epoll_close,
};

static s32 create(bool close_on_exec)
{
    struct file *file;
    s32 error = file_new(&epoll_ops, O_RDWR, &file);

    if (error)
        return error;
    error = descriptor_new(file, 0, close_on_exec);
    return error < 0 ? -EMFILE : error;
}

s32 sys_epoll_create(const u32 *args)
{
    return (s32)args[0] > 0 ? create(false) : -EINVAL;
}

s32 sys_epoll_create1(const u32 *args)
{
    return args[0] & ~O_CLOEXEC ? -EINVAL : create(args[0] & O_CLOEXEC);
}

static struct file *instance(u32 descriptor, s32 *error)
{
    struct file *file = file_of(descriptor);

    *error = !file ? -EBADF : file->ops != &epoll_ops ? -EINVAL : 0;
    return file;
}

static struct watch *watch_of(u32 owner, u32 descriptor)
{
    for (u32 n = 0; n < WATCHES; n++)
        if (watches[n].owner == owner && is_open(&watches[n]) &&
            watches[n].descriptor == descriptor)
            return &watches[n];
    return NULL;
}

/* Also the place of a descriptor that was closed since. */
static struct watch *free_watch(void)
{
    for (u32 n = 0; n < WATCHES; n++)
        if (!watches[n].owner || !is_open(&watches[n]))
            return &watches[n];
    return NULL;
}

s32 sys_epoll_ctl(const u32 *args)
{
    struct epoll_event event = {0};
    s32 error;
    const struct file *epoll = instance(args[0], &error);
    const struct file *file = file_of(args[2]);
    struct watch *watch;

    if (error || !file)
        return error ? error : -EBADF;
    if (!file->ops->ready || file->ops->seekable)
        return -EPERM; /* it is always ready */
    if (file->ops == &epoll_ops)
        return -EINVAL;
    if (args[1] != EPOLL_CTL_DEL && copy_in(&event, args[3], sizeof(event)))
        return -EFAULT;
    event.events |= ALWAYS;
    watch = watch_of(epoll->opening, args[2]);
    if (args[1] < EPOLL_CTL_ADD || args[1] > EPOLL_CTL_MOD)
        return -EINVAL;
    if (args[1] == EPOLL_CTL_ADD && watch)
        return -EEXIST;
    if (args[1] != EPOLL_CTL_ADD && !watch)
        return -ENOENT;
    if (!watch)
        watch = free_watch();
    if (!watch)
        return -ENOSPC;
    *watch = (struct watch){
        .owner = args[1] == EPOLL_CTL_DEL ? 0 : epoll->opening,
        .descriptor = args[2],
        .opening = file->opening,
        .event = event,
    };
    thread_event(); /* another thread may wait for it */
    return 0;
}

static s32 wait_until(const u32 *args, u64 deadline)
{
    s32 error, found;
    struct file *file = instance(args[0], &error);

    if (error)
        return error;
    if ((s32)args[2] <= 0 || args[2] > WATCHES * WATCHES)
        return -EINVAL;
    if (!user_writable(args[1], args[2] * sizeof(struct epoll_event)))
        return -EFAULT;
    file = file_hold(args[0]);
    do
        found = report(file->opening, args[1], args[2]);
    while (!found && poll_wait_once(deadline, &found));
    return file_let_go(file, found);
}

s32 sys_epoll_wait(const u32 *args)
{
    return wait_until(args, poll_deadline((s32)args[3]));
}

s32 sys_epoll_pwait(const u32 *args)
{
    s32 error = poll_lend_mask(args[4], args[5]);

    return error ? error : poll_return_mask(sys_epoll_wait(args));
}

s32 sys_epoll_pwait2(const u32 *args)
{
    u64 deadline;
    s32 error = poll_timespec_deadline(args[3], true, &deadline);

    if (!error)
        error = poll_lend_mask(args[4], args[5]);
    return error ? error : poll_return_mask(wait_until(args, deadline));
}
