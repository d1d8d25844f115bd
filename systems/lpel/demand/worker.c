/*
 * worker.c: the scheduler by demand, as a worker and a task see it.
 */
#include "lpel_private.h"

static void work(void)
{
    enum lpel_mail_kind kind;
    int rank;
    uint32_t value;

    lpel_send(0, LPEL_MAIL_ASK, 0);
    for (;;) {
        lpel_collect_garbage();
        while (!lpel_receive(&kind, &rank, &value))
            lpel_wait();
        if (kind == LPEL_MAIL_STOP)
            return;
        lpel_run_task((struct lpel_task *)(uintptr_t)value);
        lpel_send(0, LPEL_MAIL_BACK, value);
    }
}

static void run(void (*build)(void *), void *argument)
{
    if (lpel_my_rank == 0) {
        build(argument);
        lpel_conduct();
    } else {
        work();
    }
}

static void start(struct lpel_task *task)
{
    if (lpel_my_rank == 0) /* while the graph is built */
        lpel_conduct_start(task);
    else
        lpel_send(0, LPEL_MAIL_START, (uint32_t)(uintptr_t)task);
}

static void wake(struct lpel_task *task)
{
    lpel_send(0, LPEL_MAIL_WAKE, (uint32_t)(uintptr_t)task);
}

static void kill(uint32_t number)
{
    lpel_send(0, LPEL_MAIL_KILL, number);
}

const struct lpel_scheduler lpel_demand = {
    .work = run, .start = start, .wake = wake, .kill = kill};
