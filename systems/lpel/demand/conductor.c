/*
 * conductor.c: rank 0: which task runs where.
 *
 * Workers ask by mail, and give their task back with the same mail. All that
 * the conductor decides by comes through its mailbox, so nothing here is
 * shared. It ends when no task is left, and reports if none can ever go on.
 */
#include "ready.h"

#include <stdio.h>

static int idle[RCCE_MAXNP];
static int running, tasks;

static int bound_only(int rank)
{
    return rank >= lpel_outside();
}

static void assign(int rank, struct lpel_known *known)
{
    idle[rank] = 0;
    known->state = LPEL_RUNNING;
    known->woken = 0;
    running++;
    lpel_send(rank, LPEL_MAIL_RUN, (uint32_t)(uintptr_t)known->task);
}

static void assign_all(void)
{
    for (int rank = 1; rank < lpel_all_ranks; rank++) {
        struct lpel_known *known;

        if (!idle[rank])
            continue;
        known = lpel_take_ready(rank, bound_only(rank));
        if (known)
            assign(rank, known);
    }
}

static void end(struct lpel_known *known)
{
    struct lpel_task *task = known->task;

    lpel_note_task(task);
    lpel_free(task);
    lpel_forget(known);
    tasks--;
}

static void wake(struct lpel_known *known)
{
    if (known->state == LPEL_BLOCKED)
        lpel_put_ready(known);
    else
        known->woken = 1;
}

static void back(int rank, struct lpel_task *task)
{
    struct lpel_known *known = task->known;

    running--;
    idle[rank] = 1;
    if (task->state == LPEL_ENDED)
        end(known);
    else if (task->state == LPEL_READY || known->woken)
        lpel_put_ready(known);
    else
        known->state = LPEL_BLOCKED;
}

static void kill(uint32_t number)
{
    struct lpel_known *known = lpel_known_number(number);

    if (!known)
        return;
    known->task->killed = 1;
    wake(known);
}

void lpel_conduct_start(struct lpel_task *task)
{
    tasks++;
    lpel_put_ready(lpel_know(task));
}

static void handle(enum lpel_mail_kind kind, int rank, uint32_t value)
{
    struct lpel_task *task = (struct lpel_task *)(uintptr_t)value;

    switch (kind) {
    case LPEL_MAIL_START:
        lpel_conduct_start(task);
        break;
    case LPEL_MAIL_BACK:
        back(rank, task);
        break;
    case LPEL_MAIL_ASK:
        idle[rank] = 1;
        break;
    case LPEL_MAIL_WAKE:
        wake(task->known);
        break;
    case LPEL_MAIL_KILL:
        kill(value);
        break;
    default:
        lpel_fail("this is a bug of liblpel", "mail of kind %d", (int)kind);
    }
}

static void tell(const struct lpel_known *known)
{
    const struct lpel_task *task = known->task;
    const struct lpel_stream *stream = task->waits;

    if (!stream) {
        fprintf(stderr, "  task '%s' polls streams that stay empty\n",
                task->name);
        return;
    }
    int reads = stream->reader == task;
    const struct lpel_task *other = reads ? stream->writer : stream->reader;

    fprintf(stderr, "  task '%s' waits %s stream '%s', whose %s is %s\n",
            task->name, reads ? "for" : "for room in", stream->name,
            reads ? "writer" : "reader", other ? other->name : "nobody");
}

static void deadlock(void)
{
    fprintf(stderr, "lpel: deadlock: no task can go on\n");
    lpel_each_known(tell);
    lpel_fail("give streams more room, or break the circle",
              "%d tasks wait for each other", tasks);
}

/* All its mails are read, so what waits waits for ever. */
static int unreachable(void)
{
    if (running || !tasks)
        return 0;
    for (int rank = 1; rank < lpel_all_ranks; rank++)
        if (!idle[rank])
            return 0;
    return 1;
}

static void check_homes(void)
{
    if (lpel_outside() < 2)
        lpel_fail("run it on more cores",
                  "%d cores, %d of them outside: no worker is left",
                  lpel_all_ranks, lpel_configured.outside);
}

void lpel_conduct(void)
{
    check_homes();
    for (;;) {
        enum lpel_mail_kind kind;
        int rank;
        uint32_t value;

        while (lpel_receive(&kind, &rank, &value))
            handle(kind, rank, value);
        assign_all();
        lpel_collect_garbage();
        if (!tasks)
            break;
        if (unreachable())
            deadlock();
        lpel_wait();
    }
    for (int rank = 1; rank < lpel_all_ranks; rank++)
        lpel_send(rank, LPEL_MAIL_STOP, 0);
}
