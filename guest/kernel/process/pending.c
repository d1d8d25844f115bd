/* Signals that were sent and not taken yet: of the process, which any thread
 * takes, and of each thread. Of one number the first is kept; those behind it
 * are queued if it is one of real time, else they are lost. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "lib/string.h"
#include "lib/types.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"

#define QUEUED_MAX 256u

static u64 pending;
static struct sent_signal sent[SIGNALS + 1];

static struct queued {
    const struct thread *thread; /* null: the process */
    u32 number;
    struct sent_signal signal;
} queued[QUEUED_MAX];
static u32 queued_count;

u64 signals_pending(void)
{
    return pending | current->signals.pending;
}

/* False when there is no place to queue one more of the number. */
bool pending_room(u32 number)
{
    return number < FIRST_OF_REAL_TIME || queued_count < QUEUED_MAX;
}

/* For a thread, or for the process if it is null; false when it is lost. */
bool pending_add(struct thread *thread, u32 number, struct sent_signal signal)
{
    u64 *set = thread ? &thread->signals.pending : &pending;
    struct sent_signal *first = thread ? thread->signals.sent : sent;

    if (!(*set & signal_bit(number))) {
        *set |= signal_bit(number);
        first[number] = signal;
        return true;
    }
    if (number < FIRST_OF_REAL_TIME || !pending_room(number))
        return false;
    queued[queued_count++] = (struct queued){thread, number, signal};
    return true;
}

static void unqueue(u32 index)
{
    queued_count--;
    memmove(&queued[index], &queued[index + 1],
            (queued_count - index) * sizeof(*queued));
}

static bool take_queued(const struct thread *thread, u32 number,
                        struct sent_signal *next)
{
    for (u32 n = 0; n < queued_count; n++)
        if (queued[n].thread == thread && queued[n].number == number) {
            *next = queued[n].signal;
            unqueue(n);
            return true;
        }
    return false;
}

static bool take(struct thread *thread, u32 number, struct siginfo *info)
{
    u64 *set = thread ? &thread->signals.pending : &pending;
    struct sent_signal *first = thread ? thread->signals.sent : sent;

    if (!(*set & signal_bit(number)))
        return false;
    *info = (struct siginfo){.number = (s32)number, .code = first[number].code};
    info->fields[0] = first[number].first;
    info->fields[1] = first[number].second;
    info->fields[2] = first[number].value;
    if (!take_queued(thread, number, &first[number]))
        *set &= ~signal_bit(number);
    if (info->code == SI_TIMER)
        info->fields[1] = posix_timer_taken(info->fields[0]);
    return true;
}

/* The lowest pending signal of the mask, the thread's own before the
 * process's; info->number is 0 if none. */
void signals_take(u64 mask, struct siginfo *info)
{
    info->number = 0;
    mask &= signals_pending();
    for (u32 n = 1; n <= SIGNALS && mask; n++)
        if ((mask & signal_bit(n)) &&
            (take(current, n, info) || take(NULL, n, info)))
            return;
}

/* A number that is ignored from now on. */
void pending_forget(u32 number)
{
    pending &= ~signal_bit(number);
    for (struct thread *t = threads; t; t = t->older)
        t->signals.pending &= ~signal_bit(number);
    for (u32 n = queued_count; n-- > 0;)
        if (queued[n].number == number)
            unqueue(n);
    posix_timers_forget(number);
}

/* The process is a copy of another one, to which all of them were sent. */
void pending_copied(void)
{
    pending = current->signals.pending = 0;
    queued_count = 0;
}

/* The thread ends: what was sent to it alone nobody takes. */
void pending_drop(const struct thread *thread)
{
    for (u32 n = queued_count; n-- > 0;)
        if (queued[n].thread == thread)
            unqueue(n);
}
