/*
 * schedule.c: who runs: of the highest priority that has threads the first.
 *
 * The thread that runs stands in no queue. A turn ends only if another
 * thread of its priority waits for one; else no timer is set.
 */
#include "kernel/kernel.h"
#include "common/processor.h"

#define PRIORITIES 32

struct thread *current __attribute__((section(".data.hot")));
s32 ready_highest __attribute__((section(".data.hot"))) = -1;
static struct thread *first[PRIORITIES], *last[PRIORITIES];

static void enqueue(struct thread *t, bool front)
{
    u32 p = t->priority;

    t->next = front ? first[p] : NULL;
    t->previous = front ? NULL : last[p];
    if (t->next)
        t->next->previous = t;
    else
        last[p] = t;
    if (t->previous)
        t->previous->next = t;
    else
        first[p] = t;
    if ((s32)p > ready_highest)
        ready_highest = (s32)p;
}

void ready(struct thread *t)
{
    t->state = READY;
    enqueue(t, false);
}

/* Out of the queue, if it is in one. */
void unready(struct thread *t)
{
    u32 p = t->priority;

    if (t->state != READY || t == current)
        return;
    if (t->previous)
        t->previous->next = t->next;
    else
        first[p] = t->next;
    if (t->next)
        t->next->previous = t->previous;
    else
        last[p] = t->previous;
    while (ready_highest >= 0 && !first[ready_highest])
        ready_highest--;
}

/* Whether somebody of this priority waits for the core. */
bool ready_at(u32 priority)
{
    return first[priority] != NULL;
}

static void leave_current(bool front)
{
    struct thread *t = current;

    current = NULL;
    if (t && t->state == READY)
        enqueue(t, front);
}

/* The turn is over. */
void rotate(void)
{
    leave_current(false);
}

/* Nobody can run: the core sleeps until an interrupt. Its vector begins on
 * this stack and ends in schedule() again. */
static void idle(void)
{
    loaded_space = pool_physical(boot_directory);
    write_cr3(loaded_space);
    __asm__ volatile("1: sti; hlt; cli; jmp 1b");
    __builtin_unreachable();
}

void schedule(void)
{
    struct thread *t = current;

    if (!t || t->state != READY || ready_highest > (s32)t->priority) {
        /* Who loses the core to a higher priority keeps its place. */
        leave_current(true);
        if (ready_highest < 0) {
            timer_set();
            idle();
        }
        t = first[ready_highest];
        unready(t);
        current = t;
    }
    timer_set();
    resume(t);
}
