/*
 * task.c: tasks. A task's data are in shared memory; who has made it and what
 * waits for it is in a table off-die, under the team's guard.
 *
 * Who waits for tasks runs such ones: at a barrier any, at a taskwait only
 * children of its own, so that no lock that it holds can be waited for. If
 * the table is full, a task is run at once.
 */
#include "../openmp.h"

#include <stdlib.h>

enum { FINAL = 2, DESTRUCTORS = 8 };

static struct crf_omp_task *record(uint32_t task)
{
    return &CRF_OMP->task[task];
}

void crf_omp_task_start(void)
{
    crf_omp_self.task = (uint32_t)crf_omp_self.number + 1;
    crf_omp_self.group = 0;
    record(crf_omp_self.task)->children = 0;
    record(crf_omp_self.task)->state = CRF_OMP_RUNS;
}

int crf_omp_any(uint32_t task)
{
    (void)task;
    return 1;
}

int crf_omp_child(uint32_t task)
{
    return record(task)->parent == crf_omp_self.task;
}

/* True for a task of this group itself: others wait for tasks of inner
 * groups. */
int crf_omp_in_group(uint32_t task)
{
    return record(task)->group == crf_omp_self.group;
}

static uint32_t slot(uint32_t place)
{
    return CRF_OMP->queue[place % CRF_OMP_TASKS];
}

/* The oldest one of all; of those that fit the newest. */
uint32_t crf_omp_take(crf_omp_fits *fits)
{
    uint32_t first = CRF_OMP->queue_first, end = CRF_OMP->queue_end;
    uint32_t place = end, task = 0;

    if (fits == crf_omp_any) {
        while (first != end && !task)
            task = slot(first++);
        CRF_OMP->queue_first = first;
        if (task)
            record(task)->state = CRF_OMP_RUNS;
        return task;
    }
    while (place != first && !task) {
        task = slot(--place);
        if (task && !fits(task))
            task = 0;
    }
    if (!task)
        return 0;
    if (place + 1 == end)
        CRF_OMP->queue_end = place;
    CRF_OMP->queue[place % CRF_OMP_TASKS] = 0;
    record(task)->state = CRF_OMP_RUNS;
    return task;
}

/* Places of tasks that were taken from between others are left out. */
static void close_up(void)
{
    uint32_t end = CRF_OMP->queue_first;

    for (uint32_t at = end; at != CRF_OMP->queue_end; at++)
        if (slot(at))
            CRF_OMP->queue[end++ % CRF_OMP_TASKS] = slot(at);
    CRF_OMP->queue_end = end;
}

/* There are fewer tasks than places. */
void crf_omp_put(uint32_t task)
{
    if (CRF_OMP->queue_end - CRF_OMP->queue_first == CRF_OMP_TASKS)
        close_up();
    record(task)->state = CRF_OMP_QUEUED;
    CRF_OMP->queue[CRF_OMP->queue_end % CRF_OMP_TASKS] = task;
    CRF_OMP->queue_end++;
}

uint32_t crf_omp_new_record(void)
{
    uint32_t task = CRF_OMP->tasks_free;

    if (task) {
        CRF_OMP->tasks_free = record(task)->parent;
    } else {
        task = CRF_OMP->tasks_used + CRF_OMP_OWN_TASKS + 1;
        if (task >= CRF_OMP_TASKS)
            return 0;
        CRF_OMP->tasks_used++;
    }
    record(task)->children = record(task)->depends = 0;
    record(task)->reductions = 0;
    return task;
}

void crf_omp_free_record(uint32_t task)
{
    record(task)->state = CRF_OMP_FREE;
    record(task)->parent = CRF_OMP->tasks_free;
    CRF_OMP->tasks_free = task;
}

static void call(struct crf_omp_body *body)
{
    int final = crf_omp_self.final, threads = crf_omp_self.threads;

    if (crf_omp_header(body)->flags & FINAL)
        crf_omp_self.final = 1;
    crf_omp_header(body)->runs = 1;
    body->routine(crf_omp_thread, body);
    if (crf_omp_header(body)->flags & DESTRUCTORS)
        body->destructors(crf_omp_thread, body);
    crf_omp_self.final = final;
    crf_omp_self.threads = threads;
    free(crf_omp_header(body));
}

/* A task run at once has its parent's children. */
void crf_omp_run_now(struct crf_omp_body *body)
{
    struct crf_omp_event *event = crf_omp_header(body)->event;

    call(body);
    crf_omp_event_wait(event);
}

/* As a task, or as before: below this frame the stack is the next one's. */
static void runs_as(uint32_t number, int begins)
{
    const char *here = __builtin_frame_address(0);

    crf_running->order = number;
    if (begins)
        crf_order_begins(number);
    else
        crf_order_runs(number);
    if (here > crf_running->bottom && here < crf_running->top)
        crf_order_fresh(crf_running->bottom,
                        (uint32_t)(here - crf_running->bottom), NULL);
}

static void order_begin(uint32_t task)
{
    runs_as(CRF_ORDER_TASK(task), 1);
    crf_order_acquire(&record(task)->body);
    crf_omp_order_depends(record(task)->depends, record(task)->depend, 0);
}

/* For those who wait: its parent, its group, the team's next barrier. */
static void order_end(uint32_t task)
{
    uint32_t group = record(task)->group;

    crf_omp_order_reductions();
    crf_omp_order_depends(record(task)->depends, record(task)->depend, 1);
    crf_order_release(&record(record(task)->parent)->children);
    if (group)
        crf_order_release(&record(group)->state);
    crf_order_release_one(&CRF_OMP->tasks_left, CRF_OMP->generation & 1);
}

void crf_omp_end(uint32_t task)
{
    struct crf_object *team;
    uint32_t parent = record(task)->parent, group = record(task)->group, more;

    order_end(task);
    team = crf_omp_team();
    more = crf_omp_queue_waiting(task);

    if (--record(parent)->children == 0 &&
        record(parent)->state == CRF_OMP_ENDED)
        crf_omp_free_record(parent);
    if (group)
        record(group)->children--;
    if (record(task)->children)
        record(task)->state = CRF_OMP_ENDED;
    else
        crf_omp_free_record(task);
    CRF_OMP->tasks_left--;
    if (more)
        crf_omp_queued(team, more);
    else
        crf_omp_ended(team);
}

void crf_omp_run(uint32_t task)
{
    struct crf_omp_body *body = (struct crf_omp_body *)record(task)->body;
    uint32_t outer = crf_omp_self.task, group = crf_omp_self.group;
    int final = crf_omp_self.final;
    uint32_t order = crf_running->order;
    struct crf_omp_event *event;

    crf_acquire();
    order_begin(task);
    event = crf_omp_header(body)->event;
    crf_omp_self.task = task;
    crf_omp_self.group = record(task)->group;
    crf_omp_self.final = 0;
    call(body);
    crf_omp_self.task = outer;
    crf_omp_self.group = group;
    crf_omp_self.final = final;
    crf_release();
    if (crf_omp_event_done(event, task))
        crf_omp_end(task);
    runs_as(order, 0);
}

/* False if the table is full. */
static int queue(struct crf_omp_body *body, uint32_t count,
                 const struct crf_omp_depend *depends)
{
    struct crf_object *team;
    uint32_t task;

    crf_release();
    team = crf_omp_team();
    task = crf_omp_new_record();
    if (!task) {
        crf_object_done(team);
        return 0;
    }
    crf_order_release_new(&record(task)->body);
    record(task)->state = CRF_OMP_WAITS;
    record(task)->body = (uint32_t)body;
    record(task)->parent = crf_omp_self.task;
    record(task)->group = crf_omp_self.group;
    record(task)->depends = count;
    for (uint32_t n = 0; n < count; n++)
        record(task)->depend[n] = crf_omp_depend_word(&depends[n]);
    record(crf_omp_self.task)->children++;
    if (crf_omp_self.group)
        record(crf_omp_self.group)->children++;
    CRF_OMP->tasks_left++;
    record(task)->waits_for = crf_omp_waits_for(task);
    if (record(task)->waits_for) {
        crf_object_done(team);
    } else {
        crf_omp_put(task);
        crf_omp_queued(team, 1);
    }
    return 1;
}

/* What is in a final task, or in a team of one, is run at once: what it may
 * depend on has ended, or its event is open. */
void crf_omp_submit(struct crf_omp_body *body, uint32_t count,
                    const struct crf_omp_depend *depends)
{
    int now = crf_omp_self.size == 1 || crf_omp_self.final;

    if (!now && count <= CRF_OMP_DEPENDS && queue(body, count, depends))
        return;
    if (now && count && crf_omp_put_off(body))
        return;
    if (!now)
        crf_omp_wait_depends(count, depends);
    crf_omp_run_now(body);
    if (!now)
        crf_omp_order_each(count, depends, 1);
}

void crf_omp_wait(int (*done)(void), crf_omp_fits *fits)
{
    while (!done()) {
        struct crf_object *team = crf_omp_team();
        uint32_t task = crf_omp_take(fits);

        crf_object_done(team);
        if (task)
            crf_omp_run(task);
        else
            for (int turn = 0; turn < 16 && !done(); turn++)
                crf_pause();
    }
    crf_acquire();
}
