/* System calls about signals. The threads of the own process can be meant one by
 * one. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "drivers/drivers.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"
#include "process/trapframe.h"
#include "syscall/syscall.h"

#define MASK_SIZE 8u

s32 sys_rt_sigaction(const u32 *args)
{
    if (args[3] != MASK_SIZE)
        return -EINVAL;
    return signal_action(args[0], args[1], args[2]);
}

s32 sys_rt_sigprocmask(const u32 *args)
{
    u64 old = signals_blocked();
    u64 set = 0;

    if (args[3] != MASK_SIZE)
        return -EINVAL;
    if (args[1] && copy_in(&set, args[1], MASK_SIZE))
        return -EFAULT;
    if (args[2] && copy_out(args[2], &old, MASK_SIZE))
        return -EFAULT;
    if (!args[1])
        return 0;
    switch (args[0]) {
    case SIG_BLOCK:
        signals_block(old | set);
        return 0;
    case SIG_UNBLOCK:
        signals_block(old & ~set);
        return 0;
    case SIG_SETMASK:
        signals_block(set);
        return 0;
    }
    return -EINVAL;
}

s32 sys_rt_sigpending(const u32 *args)
{
    u64 set = signals_pending() & signals_blocked();

    if (args[1] > MASK_SIZE)
        return -EINVAL;
    return copy_out(args[0], &set, args[1]);
}

s32 sys_rt_sigsuspend(const u32 *args)
{
    u64 set;

    if (args[1] != MASK_SIZE)
        return -EINVAL;
    if (copy_in(&set, args[0], MASK_SIZE))
        return -EFAULT;
    signal_wait_with_mask(set);
    return -EINTR;
}

s32 sys_pause(const u32 *args)
{
    (void)args;
    signal_wait_with_mask(signals_blocked());
    return -EINTR;
}

/* Takes a pending signal of the set without a handler. */
static s32 wait_for(const u32 *args, bool wide)
{
    u64 until = NEVER, duration, set;
    struct siginfo info;

    if (args[3] != MASK_SIZE)
        return -EINVAL;
    if (copy_in(&set, args[0], MASK_SIZE))
        return -EFAULT;
    if (args[2]) {
        s32 error = get_time(args[2], wide, &duration);

        if (error)
            return error;
        until = clock_nanoseconds() + duration;
    }
    while (!(signals_pending() & set)) {
        if (signal_waiting())
            return -EINTR;
        if (clock_nanoseconds() >= until)
            return -EAGAIN;
        timer_wait(until);
    }
    signals_take(set, &info);
    if (args[1] && copy_out(args[1], &info, sizeof(info)))
        return -EFAULT;
    return info.number;
}

s32 sys_rt_sigtimedwait(const u32 *args)
{
    return wait_for(args, false);
}

s32 sys_rt_sigtimedwait64(const u32 *args)
{
    return wait_for(args, true);
}

s32 sys_sigaltstack(const u32 *args)
{
    return signal_stack(args[0], args[1], user_frame->esp);
}

/* Both returns: the handler's RET (and, in the old form, its restorer's
 * POP) left ESP a known distance above the frame. */
static s32 leave_handler(u32 distance)
{
    u64 mask;

    if (sigframe_pop(user_frame, user_frame->esp - distance, &mask)) {
        struct siginfo info = {.number = SIGSEGV, .code = SI_KERNEL};

        info.fields[0] = user_frame->esp;
        exit_by_signal(&info, user_frame, ~0u);
    }
    signals_block(mask);
    return (s32)user_frame->eax;
}

s32 sys_rt_sigreturn(const u32 *args)
{
    (void)args;
    return leave_handler(4);
}

s32 sys_sigreturn(const u32 *args)
{
    (void)args;
    return leave_handler(8);
}

s32 sys_kill(const u32 *args)
{
    struct sent_signal signal = {.code = SI_USER, .first = (u32)process_id()};

    return process_send((s32)args[0], args[1], signal);
}

/* sigqueue: a signal with the words that its sender put together. */
s32 sys_rt_sigqueueinfo(const u32 *args)
{
    struct siginfo info;

    if (copy_in(&info, args[2], sizeof(info)))
        return -EFAULT;
    if ((s32)args[0] <= 0)
        return -ESRCH;
    if (info.code >= 0 || info.code == SI_TKILL)
        return -EPERM;
    if (args[1] > SIGNALS)
        return -EINVAL;
    if (!pending_room(args[1]))
        return -EAGAIN;
    return process_send((s32)args[0], args[1],
                        (struct sent_signal){info.code, info.fields[0],
                                             info.fields[1], info.fields[2]});
}

static s32 send_thread(u32 id, u32 number)
{
    struct thread *thread = thread_of((s32)id);

    if (!thread)
        return -ESRCH;
    if (number > SIGNALS)
        return -EINVAL;
    if (number > 0)
        signal_send_thread(
            thread, number,
            (struct sent_signal){.code = SI_TKILL, .first = (u32)process_id()});
    return 0;
}

s32 sys_tkill(const u32 *args)
{
    return send_thread(args[0], args[1]);
}

s32 sys_tgkill(const u32 *args)
{
    return (s32)args[0] == process_id() ? send_thread(args[1], args[2])
                                        : -ESRCH;
}
