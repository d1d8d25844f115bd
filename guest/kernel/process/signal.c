/* Signals of the one process: what is set, blocked and pending, and what
 * happens when the program is about to run again. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/trapframe.h"

u64 signals_blocked;

static u64 pending;
static struct siginfo infos[SIGNALS + 1];
static struct sigaction actions[SIGNALS + 1];
static struct sigstack alternate = {.flags = SS_DISABLE};
/* rt_sigsuspend: the mask to restore once a handler was entered. */
static u64 suspended_mask;
static bool suspended;

static u64 bit(u32 number)
{
    return 1ull << (number - 1);
}

#define UNMASKABLE (1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1))

static bool ignored_by_default(u32 number)
{
    return number == SIGCHLD || number == SIGCONT || number == SIGURG ||
           number == SIGWINCH;
}

static bool ignored(u32 number)
{
    return actions[number].handler == SIG_IGN ||
           (actions[number].handler == SIG_DFL && ignored_by_default(number));
}

void signal_send(u32 number, s32 code, u32 field)
{
    if (ignored(number) && !(signals_blocked & bit(number)))
        return;
    pending |= bit(number);
    infos[number] = (struct siginfo){.number = (s32)number, .code = code};
    infos[number].fields[0] = field;
}

u64 signals_pending(void)
{
    return pending;
}

/* Whether a signal would interrupt a wait. */
bool signal_waiting(void)
{
    return (pending & ~signals_blocked) != 0;
}

/* The lowest pending signal of the mask; info->number is 0 if none. */
void signals_take(u64 mask, struct siginfo *info)
{
    info->number = 0;
    for (u32 n = 1; n <= SIGNALS; n++)
        if (pending & mask & bit(n)) {
            pending &= ~bit(n);
            *info = infos[n];
            return;
        }
}

/* Where the handler's frame goes: the current stack, the alternate one. */
static u32 frame_top(const struct trapframe *frame,
                     const struct sigaction *action)
{
    bool inside = frame->esp - alternate.base < alternate.size;

    if (!(action->flags & SA_ONSTACK) || (alternate.flags & SS_DISABLE) ||
        inside)
        return frame->esp;
    return alternate.base + alternate.size;
}

static void enter_handler(struct trapframe *frame, const struct siginfo *info)
{
    u32 number = (u32)info->number;
    struct sigaction *action = &actions[number];
    u64 mask = suspended ? suspended_mask : signals_blocked;

    if (!sigframe_push(frame, info, action, frame_top(frame, action), mask)) {
        /* No stack to run the handler on: the kernel of Linux ends the
         * program with SIGSEGV, and so do we. */
        struct siginfo lost = {.number = SIGSEGV, .code = SI_KERNEL};

        lost.fields[0] = frame->esp;
        exit_by_signal(&lost, frame, frame->vector);
    }
    suspended = false;
    signals_blocked |= (u64)action->mask[1] << 32 | action->mask[0];
    if (!(action->flags & SA_NODEFER))
        signals_blocked |= bit(number);
    signals_blocked &= ~UNMASKABLE;
    if (action->flags & SA_RESETHAND)
        action->handler = SIG_DFL;
}

static u32 vector_for_record(const struct trapframe *frame)
{
    return frame->vector < VECTOR_TIMER ? frame->vector : ~0u;
}

/* An exception: its handler runs now, or the program ends. */
void signal_fault(const struct siginfo *info, struct trapframe *frame)
{
    u32 number = (u32)info->number;

    if (actions[number].handler <= SIG_IGN || (signals_blocked & bit(number)))
        exit_by_signal(info, frame, vector_for_record(frame));
    enter_handler(frame, info);
}

/* Before the return to ring 3: acts on what is pending and not blocked. */
void signal_deliver(struct trapframe *frame)
{
    while (pending & ~signals_blocked) {
        struct siginfo info;

        signals_take(~signals_blocked, &info);
        if (ignored((u32)info.number))
            continue;
        if (actions[info.number].handler == SIG_DFL)
            exit_by_signal(&info, frame, ~0u);
        enter_handler(frame, &info);
    }
    if (suspended) {
        suspended = false;
        signals_blocked = suspended_mask;
    }
}

/* rt_sigaction on user addresses. */
s32 signal_action(u32 number, u32 action, u32 old_action)
{
    struct sigaction new_action;

    if (number == 0 || number > SIGNALS)
        return -EINVAL;
    if (action) {
        if (number == SIGKILL || number == SIGSTOP)
            return -EINVAL;
        if (copy_in(&new_action, action, sizeof(new_action)))
            return -EFAULT;
    }
    if (old_action &&
        copy_out(old_action, &actions[number], sizeof(new_action)))
        return -EFAULT;
    if (action) {
        actions[number] = new_action;
        if (ignored(number))
            pending &= ~bit(number);
    }
    return 0;
}

#define STACK_MIN 2048u

/* sigaltstack on user addresses. */
s32 signal_stack(u32 stack, u32 old_stack, u32 esp)
{
    bool inside = esp - alternate.base < alternate.size;
    struct sigstack new_stack;

    if (stack && copy_in(&new_stack, stack, sizeof(new_stack)))
        return -EFAULT;
    if (old_stack) {
        struct sigstack old = alternate;

        if (inside)
            old.flags |= SS_ONSTACK;
        if (copy_out(old_stack, &old, sizeof(old)))
            return -EFAULT;
    }
    if (!stack)
        return 0;
    if (inside)
        return -EPERM;
    if (new_stack.flags & ~SS_DISABLE)
        return -EINVAL;
    if (new_stack.flags & SS_DISABLE)
        new_stack = (struct sigstack){.flags = SS_DISABLE};
    else if (new_stack.size < STACK_MIN)
        return -ENOMEM;
    alternate = new_stack;
    return 0;
}

/* Waits until a signal that the given mask lets through has come. */
void signal_wait_with_mask(u64 mask)
{
    suspended_mask = signals_blocked;
    suspended = true;
    signals_blocked = mask & ~UNMASKABLE;
    while (!signal_waiting())
        timer_idle();
}

/* Another program follows: it has no handlers and no stack for them. */
void signals_leave(void)
{
    for (u32 n = 1; n <= SIGNALS; n++)
        if (actions[n].handler != SIG_IGN)
            actions[n] = (struct sigaction){.handler = SIG_DFL};
    alternate = (struct sigstack){.flags = SS_DISABLE};
}
