/*
 * static.c: the decentralised scheduler: tasks stay on their cores, which
 * run them in turns; streams between cores are messages (carry.c).
 *
 * All cores build the same graph. Of tasks that belong elsewhere a core
 * keeps the name and the place, until the run ends.
 */
#include "lpel_private.h"

#define MOST_TASKS 4096

static struct lpel_task *first, **last = &first;
static struct lpel_task *made[MOST_TASKS]; /* while the graph is built */
static int made_count, dealt, running, building;

static void put(struct lpel_task *task)
{
    task->state = LPEL_READY;
    task->next = NULL;
    *last = task;
    last = &task->next;
}

static struct lpel_task *take(void)
{
    struct lpel_task *task = first;

    if (task) {
        first = task->next;
        if (!first)
            last = &first;
    }
    return task;
}

static void place(struct lpel_task *task)
{
    if (!building) {
        if (task->home != LPEL_ANY && task->home != lpel_my_rank)
            lpel_fail("use a variant by demand, or make it in the graph",
                      "task '%s' was made by a running task for rank %d",
                      task->name, task->home);
        task->home = lpel_my_rank;
        return;
    }
    if (task->home == LPEL_ANY)
        task->home = dealt++ % lpel_all_ranks;
    if (made_count == MOST_TASKS)
        lpel_fail("let tasks make tasks", "a graph of over %d tasks",
                  MOST_TASKS);
    made[made_count++] = task;
}

static void start(struct lpel_task *task)
{
    place(task);
    if (task->home != lpel_my_rank)
        return;
    running++;
    put(task);
}

static void wake(struct lpel_task *task)
{
    if (task->state == LPEL_BLOCKED)
        put(task);
    else
        task->woken = 1;
}

static void kill(uint32_t number)
{
    (void)number;
    lpel_fail("use a variant by demand", "static tasks cannot be killed");
}

/* The streams of which one end is here: where the other end is. */
static void connect(void)
{
    char with[RCCE_MAXNP] = {0};
    struct lpel_stream *stream;

    for (uint32_t n = 0; (stream = lpel_stream_numbered(n)); n++) {
        int writes, reads;

        if (!stream->reader || !stream->writer)
            lpel_fail("give both ends to tasks", "stream '%s' has no %s",
                      stream->name, stream->reader ? "writer" : "reader");
        writes = stream->writer->home == lpel_my_rank;
        reads = stream->reader->home == lpel_my_rank;
        stream->carried = writes && !reads;
        if (stream->carried)
            with[stream->reader->home] = 1;
        if (reads && !writes) {
            with[stream->writer->home] = 1;
            lpel_expect();
        }
        if (!reads && !writes)
            lpel_drop(stream);
    }
    lpel_carry_start(with);
}

static void run_one(struct lpel_task *task)
{
    task->woken = 0;
    lpel_run_task(task);
    if (task->state == LPEL_ENDED) {
        lpel_note_task(task);
        running--;
    } else if (task->state == LPEL_READY || task->woken) {
        put(task);
    }
}

static void deadlock(const struct lpel_task *task)
{
    const struct lpel_stream *stream = task->waits;

    lpel_fail("give streams more room, or break the circle",
              "deadlock: %d tasks wait for each other; '%s' for stream '%s'",
              running, task->name, stream ? stream->name : "one of several");
}

static void check_deadlock(void)
{
    if (lpel_expected())
        return;
    for (int n = 0; n < made_count; n++)
        if (made[n]->state == LPEL_BLOCKED)
            deadlock(made[n]);
}

static void work(void (*build)(void *), void *argument)
{
    lpel_number_anew();
    building = 1;
    build(argument);
    building = 0;
    connect();
    while (running || lpel_expected()) {
        struct lpel_task *task;

        lpel_carry_on(!first);
        task = take();
        if (task)
            run_one(task);
        else if (running)
            check_deadlock();
    }
    lpel_carry_end();
    for (int n = 0; n < made_count; n++)
        lpel_free(made[n]);
    made_count = dealt = 0;
}

const struct lpel_scheduler lpel_static = {
    .work = work, .start = start, .wake = wake, .kill = kill};
