/* Futexes: threads wait for a word of memory to change. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"

/* Who has waited longest for the word, of those that the bits mean. */
static struct thread *longest_waiter(u32 address, u32 bitset)
{
    struct thread *found = NULL;

    for (struct thread *t = threads; t; t = t->older)
        if (t->state == THREAD_WAITING && t->waits_for == address &&
            (t->bitset & bitset) &&
            (!found || (s32)(t->wait_number - found->wait_number) < 0))
            found = t;
    return found;
}

/* Waits while the word has the expected value: 0 when woken, -EAGAIN when it
 * has another, -ETIMEDOUT at the instant, -EINTR for a signal; without an
 * instant the wait may go on then. */
s32 futex_wait(u32 address, u32 expected, u32 bitset, u64 until)
{
    if (address % sizeof(u32))
        return -EINVAL;
    do {
        u32 value;

        if (copy_in(&value, address, sizeof(value)))
            return -EFAULT;
        if (value != expected)
            return -EAGAIN;
        if (signal_waiting())
            return until == NEVER ? -ERESTART : -EINTR;
        current->bitset = bitset;
        thread_wait(address, until);
        if (current->woken)
            return 0;
        /* A signal that another thread has taken ends no wait. */
    } while (signal_waiting() || clock_nanoseconds() < until);
    return -ETIMEDOUT;
}

/* How many were woken, at most `count`. */
s32 futex_wake(u32 address, u32 count, u32 bitset)
{
    struct thread *thread;
    s32 woken = 0;

    while ((u32)woken < count && (thread = longest_waiter(address, bitset))) {
        thread->woken = true;
        thread_wake(thread);
        woken++;
    }
    return woken;
}

/* Wakes some and lets others wait for another word; how many of both. */
s32 futex_requeue(u32 address, u32 wake, u32 move, u32 target)
{
    s32 count = futex_wake(address, wake, ~0u);
    struct thread *thread;

    for (u32 n = 0; n < move && (thread = longest_waiter(address, ~0u)); n++) {
        thread->waits_for = target;
        count++;
    }
    return count;
}
