/* Signals of the one process and of its threads: what is set and blocked, and
 * what happens when the program is about to run again. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"
#include "process/trapframe.h"

#define INT_LENGTH 2u /* bytes of the instruction of a system call */

static struct sigaction actions[SIGNALS + 1];

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

/* By the program's own wish, not by default. */
bool signal_is_refused(u32 number)
{
    return actions[number].handler == SIG_IGN;
}

u64 signals_blocked(void)
{
    return current->signals.blocked;
}

void signals_block(u64 mask)
{
    current->signals.blocked = mask & ~UNMASKABLE;
}

/* One thread that does not block the signal, if there is one, stops waiting;
 * the thread that runs needs no help. */
static void wake_a_taker(u32 number)
{
    struct thread *taker = NULL;

    for (struct thread *t = threads; t; t = t->older)
        if (!(t->signals.blocked & signal_bit(number))) {
            if (t->state == THREAD_RUNNING)
                return;
            taker = t;
        }
    if (taker)
        thread_wake(taker);
}

/* To the process; false when nobody will take the signal. */
bool signal_send_with(u32 number, struct sent_signal signal)
{
    if (ignored(number) && !(signals_blocked() & signal_bit(number)))
        return false;
    if (!pending_add(NULL, number, signal))
        return false;
    if (!threading)
        return true;
    wake_a_taker(number);
    thread_event(); /* who waits in rt_sigtimedwait blocks the signal */
    return true;
}

void signal_send(u32 number, s32 code, u32 field)
{
    signal_send_with(number,
                     (struct sent_signal){.code = code, .first = field});
}

/* To one thread of it; false when the thread will not take the signal. */
bool signal_send_thread(struct thread *thread, u32 number,
                        struct sent_signal signal)
{
    struct thread_signals *own = &thread->signals;

    if (ignored(number) && !(own->blocked & signal_bit(number)))
        return false;
    if (!pending_add(thread, number, signal))
        return false;
    if (!(own->blocked & signal_bit(number)) || thread->waits_for == WAIT_ANY)
        thread_wake(thread);
    return true;
}

/* Whether a signal would interrupt a wait. */
bool signal_waiting(void)
{
    return (signals_pending() & ~signals_blocked()) != 0;
}

/* Where the handler's frame goes: the current stack, the alternate one. */
static u32 frame_top(const struct trapframe *frame,
                     const struct sigaction *action)
{
    const struct sigstack *alternate = &current->signals.alternate;
    bool inside = frame->esp - alternate->base < alternate->size;

    if (!(action->flags & SA_ONSTACK) || (alternate->flags & SS_DISABLE) ||
        inside)
        return frame->esp;
    return alternate->base + alternate->size;
}

/* The program makes the call again that a signal has ended. */
static void call_again(struct trapframe *frame)
{
    frame->eip -= INT_LENGTH;
    frame->eax = current->signals.call;
}

static void enter_handler(struct trapframe *frame, const struct siginfo *info)
{
    u32 number = (u32)info->number;
    struct sigaction *action = &actions[number];
    struct thread_signals *own = &current->signals;
    u64 mask = own->suspended ? own->suspended_mask : own->blocked;

    if (own->restarts && action->flags & SA_RESTART)
        call_again(frame);
    own->restarts = false;
    if (!sigframe_push(frame, info, action, frame_top(frame, action), mask)) {
        /* No stack to run the handler on: the kernel of Linux ends the
         * program with SIGSEGV, and so do we. */
        struct siginfo lost = {.number = SIGSEGV, .code = SI_KERNEL};

        lost.fields[0] = frame->esp;
        exit_by_signal(&lost, frame, frame->vector);
    }
    own->suspended = false;
    mask = own->blocked | (u64)action->mask[1] << 32 | action->mask[0];
    if (!(action->flags & SA_NODEFER))
        mask |= signal_bit(number);
    signals_block(mask);
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

    if (actions[number].handler <= SIG_IGN ||
        (signals_blocked() & signal_bit(number)))
        exit_by_signal(info, frame, vector_for_record(frame));
    enter_handler(frame, info);
}

/* Before the return to ring 3: acts on what is pending and not blocked. */
void signal_deliver(struct trapframe *frame)
{
    struct thread_signals *own = &current->signals;

    while (signal_waiting()) {
        struct siginfo info;

        signals_take(~own->blocked, &info);
        if (ignored((u32)info.number))
            continue;
        if (actions[info.number].handler == SIG_DFL)
            exit_by_signal(&info, frame, ~0u);
        enter_handler(frame, &info);
    }
    signals_return();
    if (own->restarts) { /* no handler was entered */
        own->restarts = false;
        call_again(frame);
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
            pending_forget(number);
    }
    return 0;
}

#define STACK_MIN 2048u

/* sigaltstack on user addresses. */
s32 signal_stack(u32 stack, u32 old_stack, u32 esp)
{
    struct sigstack *alternate = &current->signals.alternate;
    bool inside = esp - alternate->base < alternate->size;
    struct sigstack new_stack;

    if (stack && copy_in(&new_stack, stack, sizeof(new_stack)))
        return -EFAULT;
    if (old_stack) {
        struct sigstack old = *alternate;

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
    *alternate = new_stack;
    return 0;
}

/* Another mask until the call ends; a signal that only it lets through is
 * taken first. */
void signals_lend(u64 mask)
{
    current->signals.suspended_mask = signals_blocked();
    current->signals.suspended = true;
    signals_block(mask);
}

void signals_return(void)
{
    struct thread_signals *own = &current->signals;

    if (!own->suspended)
        return;
    own->suspended = false;
    own->blocked = own->suspended_mask;
}

/* Waits until a signal that the given mask lets through has come. */
void signal_wait_with_mask(u64 mask)
{
    signals_lend(mask);
    while (!signal_waiting())
        timer_idle();
}

/* Another program follows: it has no handlers and no stack for them. */
void signals_leave(void)
{
    for (u32 n = 1; n <= SIGNALS; n++)
        if (actions[n].handler != SIG_IGN)
            actions[n] = (struct sigaction){.handler = SIG_DFL};
    current->signals.alternate = (struct sigstack){.flags = SS_DISABLE};
}
