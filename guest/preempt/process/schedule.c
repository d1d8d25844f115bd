/*
 * schedule.c: who runs. Each process that can run has its turn, in the order
 * of the table; a turn ends when the process waits or the timer ticks.
 */
#include "kernel.h"

static struct process *choose(void)
{
    int n, start = (int)(current - processes);

    for (n = 1; n <= MAX_PROCESSES; n++) {
        struct process *process = &processes[(start + n) % MAX_PROCESSES];

        if (process->state == READY)
            return process;
    }
    return 0;
}

/* Returns when the caller has its next turn. */
void schedule(void)
{
    struct process *last = current, *chosen;

    while ((chosen = choose()) == 0)
        idle();
    if (chosen == last)
        return;
    current = chosen;
    x87_away();
    set_kernel_stack(chosen->stack + PAGE);
    space_use(chosen->directory);
    switch_stacks(&last->context, chosen->context);
}

/* Waits for wake() with the same channel, or for a signal. */
int sleep_on(const void *channel)
{
    if (current->pending)
        return INTERRUPTED;
    current->channel = channel;
    current->state = WAITING;
    schedule();
    current->channel = 0;
    return current->pending ? INTERRUPTED : 0;
}

void wake(const void *channel)
{
    struct process *process;

    for (process = processes; process < processes + MAX_PROCESSES; process++)
        if (process->state == WAITING && process->channel == channel)
            process->state = READY;
}
