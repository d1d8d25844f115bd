/*
 * task.c: tasks. A task's data are in shared memory; who has made it and what
 * waits for it is in a table off-die, under the team's guard.
 *
 * Who waits for tasks runs such ones: at a barrier any, at a taskwait only
 * children of its own, so that no lock that it holds can be waited for. If
 * the table is full, a task is run at once.
 */
#include "openmp.h"

#include <stdlib.h>

enum { FREE, QUEUED, RUNS, ENDED };
enum { FINAL = 2, DESTRUCTORS = 8 };
#define OWN_TASKS CRF_OMP_THREADS /* the threads' own: the first places */

static struct crf_omp_task *record(uint32_t task)
{
    return &CRF_OMP->task[task];
}

void crf_omp_task_start(void)
{
    crf_omp_self.task = (uint32_t)crf_omp_self.number + 1;
    crf_omp_self.group = 0;
    record(crf_omp_self.task)->children = 0;
    record(crf_omp_self.task)->state = RUNS;
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

/* Of the group itself: those of a group in it are waited for by others. */
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
    return task;
}

uint32_t crf_omp_new_record(void)
{
    uint32_t task = CRF_OMP->tasks_free;

    if (task) {
        CRF_OMP->tasks_free = record(task)->parent;
    } else {
        task = CRF_OMP->tasks_used + OWN_TASKS + 1;
        if (task >= CRF_OMP_TASKS)
            return 0;
        CRF_OMP->tasks_used++;
    }
    record(task)->children = record(task)->depends = 0;
    return task;
}

void crf_omp_free_record(uint32_t task)
{
    record(task)->state = FREE;
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

/* Its children are its parent's. */
void crf_omp_run_now(struct crf_omp_body *body)
{
    call(body);
}

static void end(uint32_t task)
{
    struct crf_object *team = crf_omp_team();
    uint32_t parent = record(task)->parent, group = record(task)->group;

    if (--record(parent)->children == 0 && record(parent)->state == ENDED)
        crf_omp_free_record(parent);
    if (group)
        record(group)->children--;
    if (record(task)->children)
        record(task)->state = ENDED;
    else
        crf_omp_free_record(task);
    CRF_OMP->tasks_left--;
    crf_omp_ended(team);
}

void crf_omp_run(uint32_t task)
{
    struct crf_omp_self before = crf_omp_self;

    crf_acquire();
    crf_omp_self.task = task;
    crf_omp_self.group = record(task)->group;
    crf_omp_self.final = 0;
    call((struct crf_omp_body *)record(task)->body);
    crf_omp_self.task = before.task;
    crf_omp_self.group = before.group;
    crf_omp_self.final = before.final;
    crf_release();
    end(task);
}

/* False if the table is full. */
static int queue(struct crf_omp_body *body, uint32_t count,
                 const struct crf_omp_depend *depends)
{
    struct crf_object *team;
    uint32_t task;

    crf_release();
    team = crf_omp_team();
    task = CRF_OMP->queue_end - CRF_OMP->queue_first < CRF_OMP_TASKS
               ? crf_omp_new_record()
               : 0;
    if (!task) {
        crf_object_done(team);
        return 0;
    }
    record(task)->state = QUEUED;
    record(task)->body = (uint32_t)body;
    record(task)->parent = crf_omp_self.task;
    record(task)->group = crf_omp_self.group;
    record(task)->depends = count;
    for (uint32_t n = 0; n < count; n++)
        record(task)->depend[n] =
            depends[n].address |
            (depends[n].flags & CRF_OMP_OUT ? 0x80000000u : 0);
    record(crf_omp_self.task)->children++;
    if (crf_omp_self.group)
        record(crf_omp_self.group)->children++;
    CRF_OMP->tasks_left++;
    CRF_OMP->queue[CRF_OMP->queue_end % CRF_OMP_TASKS] = task;
    CRF_OMP->queue_end++;
    crf_omp_queued(team);
    return 1;
}

void crf_omp_submit(struct crf_omp_body *body, uint32_t count,
                    const struct crf_omp_depend *depends)
{
    int now = crf_omp_self.size == 1 || crf_omp_self.final ||
              crf_omp_header(body)->flags & FINAL;

    if (!now)
        crf_omp_wait_depends(count, depends);
    if (now || count > CRF_OMP_DEPENDS || !queue(body, count, depends))
        crf_omp_run_now(body);
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

/* What the task to come depends on: of this thread's wait. */
static _Thread_local uint32_t wanted_count;
static _Thread_local const struct crf_omp_depend *wanted;

static int conflicts(uint32_t task)
{
    for (uint32_t n = 0; n < record(task)->depends; n++)
        for (uint32_t m = 0; m < wanted_count; m++) {
            uint32_t theirs = record(task)->depend[n];
            int written = theirs >> 31 || wanted[m].flags & CRF_OMP_OUT;

            if (written && (theirs & 0x7FFFFFFF) == wanted[m].address)
                return 1;
        }
    return 0;
}

/* Without the guard: a task that ends meanwhile is found ended or not. */
static int depends_done(void)
{
    uint32_t end = CRF_OMP->tasks_used + OWN_TASKS + 1;

    for (uint32_t task = OWN_TASKS + 1; task < end; task++) {
        uint32_t state = record(task)->state;

        if ((state == QUEUED || state == RUNS) && crf_omp_child(task) &&
            conflicts(task))
            return 0;
    }
    return 1;
}

/* A task may run that this one depends on: what is wanted is set anew. */
void crf_omp_wait_depends(uint32_t count, const struct crf_omp_depend *depends)
{
    uint32_t outer_count = wanted_count;
    const struct crf_omp_depend *outer = wanted;

    if (count == 0)
        return;
    wanted_count = count;
    wanted = depends;
    crf_omp_wait(depends_done, crf_omp_child);
    wanted_count = outer_count;
    wanted = outer;
}
