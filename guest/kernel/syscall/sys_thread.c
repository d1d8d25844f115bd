/* System calls about threads, which all run on this core, and about the segments
 * that are a thread's own. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/options.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/thread.h"
#include "process/trapframe.h"
#include "syscall/syscall.h"

#define CLONE_VM 0x00000100u
#define CLONE_SIGHAND 0x00000800u
#define CLONE_THREAD 0x00010000u
#define CLONE_SETTLS 0x00080000u
#define CLONE_PARENT_SETTID 0x00100000u
#define CLONE_CHILD_CLEARTID 0x00200000u
#define CLONE_CHILD_SETTID 0x01000000u
#define CLONE_OF_A_THREAD (CLONE_VM | CLONE_SIGHAND | CLONE_THREAD)

/* clone(flags, stack, parent's id word, thread-local segment, child's word).
 * Without the flags of a thread it makes a second process. */
s32 sys_clone(const u32 *args)
{
    u32 flags = args[0];
    struct user_desc tls;
    struct thread *thread;
    s32 error;

    if ((flags & CLONE_OF_A_THREAD) != CLONE_OF_A_THREAD)
        return family_clone(args);
    if ((flags & CLONE_SETTLS) && copy_in(&tls, args[3], sizeof(tls)))
        return -EFAULT;
    error = thread_new(args[1], flags & CLONE_SETTLS ? &tls : NULL, &thread);
    if (error)
        return error;
    if (flags & CLONE_CHILD_CLEARTID)
        thread->clear_id = args[4];
    /* A word that cannot be written is the program's affair, as on Linux. */
    if (flags & CLONE_PARENT_SETTID)
        copy_out(args[2], &thread->id, sizeof(thread->id));
    if (flags & CLONE_CHILD_SETTID)
        copy_out(args[4], &thread->id, sizeof(thread->id));
    thread_add(thread);
    return thread->id;
}

/* C libraries that ask for this call first then ask for clone. */
s32 sys_no_clone3(const u32 *args)
{
    (void)args;
    return -ENOSYS;
}

s32 sys_exit_thread(const u32 *args)
{
    if (options.strace)
        print("\n");
    thread_exit(args[0]);
}

s32 sys_gettid(const u32 *args)
{
    (void)args;
    return current->id;
}

s32 sys_set_tid_address(const u32 *args)
{
    current->clear_id = args[0];
    return sys_gettid(args);
}

s32 sys_sched_yield(const u32 *args)
{
    (void)args;
    thread_yield();
    return 0;
}

s32 sys_set_thread_area(const u32 *args)
{
    struct user_desc description;
    s32 error = copy_in(&description, args[0], sizeof(description));

    if (!error)
        error = segment_set_tls(&description);
    return error ? error : copy_out(args[0], &description, sizeof(description));
}

s32 sys_get_thread_area(const u32 *args)
{
    struct user_desc description;
    s32 error = copy_in(&description, args[0], sizeof(description));

    if (!error)
        error = segment_get_tls(&description);
    return error ? error : copy_out(args[0], &description, sizeof(description));
}

enum {
    FUTEX_WAIT = 0,
    FUTEX_WAKE = 1,
    FUTEX_REQUEUE = 3,
    FUTEX_CMP_REQUEUE = 4,
    FUTEX_WAIT_BITSET = 9,
    FUTEX_WAKE_BITSET = 10,
    FUTEX_COMMAND = 127, /* without the flags that follow */
    FUTEX_REALTIME = 256,
};

/* When a wait ends. FUTEX_WAIT gives a duration, FUTEX_WAIT_BITSET an instant
 * of the monotonic clock or of the date. */
static s32 wait_end(const u32 *args, bool wide, u64 *until)
{
    u64 now = clock_nanoseconds();
    u64 since_reset = now;
    u64 time;
    s32 error;

    *until = NEVER;
    if (!args[3])
        return 0;
    error = get_time(args[3], wide, &time);
    if (error)
        return error;
    if (args[1] & FUTEX_REALTIME)
        since_reset = clock_epoch_nanoseconds();
    if ((args[1] & FUTEX_COMMAND) == FUTEX_WAIT)
        *until = now + time;
    else
        *until = time > since_reset ? now + (time - since_reset) : now;
    return 0;
}

static s32 wait(const u32 *args, u32 bitset, bool wide)
{
    u64 until;
    s32 error = wait_end(args, wide, &until);

    return error ? error : futex_wait(args[0], args[2], bitset, until);
}

static s32 requeue(const u32 *args, bool compare)
{
    u32 value;

    if (compare && copy_in(&value, args[0], sizeof(value)))
        return -EFAULT;
    if (compare && value != args[5])
        return -EAGAIN;
    return futex_requeue(args[0], args[2], args[3], args[4]);
}

static s32 futex(const u32 *args, bool wide)
{
    switch (args[1] & FUTEX_COMMAND) {
    case FUTEX_WAIT:
        return wait(args, ~0u, wide);
    case FUTEX_WAIT_BITSET:
        return args[5] ? wait(args, args[5], wide) : -EINVAL;
    case FUTEX_WAKE:
        return futex_wake(args[0], args[2], ~0u);
    case FUTEX_WAKE_BITSET:
        return futex_wake(args[0], args[2], args[5]);
    case FUTEX_REQUEUE:
        return requeue(args, false);
    case FUTEX_CMP_REQUEUE:
        return requeue(args, true);
    }
    return -ENOSYS;
}

s32 sys_futex32(const u32 *args)
{
    return futex(args, false);
}

s32 sys_futex64(const u32 *args)
{
    return futex(args, true);
}
