/*
 * timer.c: deadlines and turns, by one-shot interrupts of the local APIC's
 * timer. With neither, it does not run.
 */
#include "kernel/kernel.h"
#include "common/processor.h"

#define LONGEST 0x7FFFFFFFu /* the timer's register has 32 bits */

static u32 cycles_a_microsecond;
static struct thread *timed; /* the nearest deadline first */
static u64 armed, turn_end;  /* 0: none */

void timer_init(u32 megahertz)
{
    cycles_a_microsecond = megahertz;
}

void timer_forget(struct thread *t)
{
    struct thread **at = &timed;

    if (!(t->state & TIMED))
        return;
    while (*at != t)
        at = &(*at)->next_timed;
    *at = t->next_timed;
    t->state &= ~(u32)TIMED;
}

/* The thread's wait ends then; L4_NEVER: not at all. */
void timer_wait(struct thread *t, u32 microseconds)
{
    struct thread **at = &timed;

    if (microseconds == L4_NEVER)
        return;
    t->deadline = read_tsc() + (u64)microseconds * cycles_a_microsecond;
    while (*at && (*at)->deadline <= t->deadline)
        at = &(*at)->next_timed;
    t->next_timed = *at;
    *at = t;
    t->state |= TIMED;
}

static bool turn_ends(void)
{
    return current && ready_at(current->priority);
}

/* Called on the way out of the kernel. */
void timer_set(void)
{
    u64 due = timed ? timed->deadline : 0, now;

    if (!turn_ends())
        turn_end = 0;
    else if (!turn_end)
        turn_end =
            read_tsc() + (u64)current->context->slice * cycles_a_microsecond;
    if (turn_end && (!due || turn_end < due))
        due = turn_end;
    if (due == armed)
        return;
    armed = due;
    now = read_tsc();
    if (!due)
        apic_timer(0);
    else if (due <= now)
        apic_timer(1);
    else
        apic_timer(due - now > LONGEST ? LONGEST : (u32)(due - now));
}

void timer_interrupt(void)
{
    u64 now = read_tsc();

    armed = 0;
    while (timed && timed->deadline <= now)
        ipc_stop(timed, L4_TIMEOUT);
    if (turn_end && turn_end <= now) {
        turn_end = 0;
        rotate();
    }
}
