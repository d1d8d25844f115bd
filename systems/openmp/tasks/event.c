/*
 * event.c: detached tasks: such a task has ended when its code has, and its
 * event was fulfilled, whichever comes last.
 */
#include "../openmp.h"

#include <stdlib.h>

#include "../../crf/pages/pages.h"

/* `state`: that, or the task whose code has ended. */
enum { OPEN, FULFILLED };
struct crf_omp_event {
    uint32_t state;
    struct crf_omp_event *next;
};

/* In a team of one: what its task has left open. */
static _Thread_local struct crf_omp_event *left_open;
static _Thread_local struct crf_omp_header *put_off; /* tasks, in their order */

static uint32_t exchange(struct crf_omp_event *event, uint32_t state)
{
    return (uint32_t)crf_atomic_modify(&event->state, sizeof event->state,
                                       CRF_XCHG, state,
                                       CRF_ACQUIRE | CRF_RELEASE);
}

static int is_fulfilled(struct crf_omp_event *event)
{
    return crf_atomic_read(&event->state, sizeof event->state, CRF_ACQUIRE) ==
           FULFILLED;
}

void *__kmpc_task_allow_completion_event(struct crf_place *place,
                                         int32_t thread,
                                         struct crf_omp_body *body)
{
    struct crf_omp_event *event = calloc(1, sizeof *event);

    (void)place;
    (void)thread;
    if (!event)
        crf_fail("fewer tasks at a time", "no memory for a task's event");
    crf_omp_header(body)->event = event;
    return event;
}

void omp_fulfill_event(omp_event_handle_t handle)
{
    struct crf_omp_event *event = (struct crf_omp_event *)(uintptr_t)handle;
    uint32_t task = exchange(event, FULFILLED);

    if (task == OPEN || task == FULFILLED)
        return;
    free(event);
    crf_omp_end(task);
}

/* The task's code has ended: whether the task has. */
int crf_omp_event_done(struct crf_omp_event *event, uint32_t task)
{
    if (!event)
        return 1;
    if (exchange(event, task) == OPEN)
        return 0;
    free(event);
    return 1;
}

/* Waits for a task that its creator has run at once. In a team of one the next
 * thing that waits for tasks waits for it. */
void crf_omp_event_wait(struct crf_omp_event *event)
{
    if (!event)
        return;
    event->next = left_open;
    left_open = event;
    if (crf_omp_self.size > 1)
        crf_omp_events_wait();
}

/* In a team of one: the task may depend on one whose event is open, and what
 * fulfils it may come yet: it is run at the next wait, after those before it. */
int crf_omp_put_off(struct crf_omp_body *body)
{
    struct crf_omp_header **end = &put_off;

    if (!left_open && !put_off)
        return 0;
    while (*end)
        end = &(*end)->next;
    *end = crf_omp_header(body);
    (*end)->next = NULL;
    return 1;
}

void crf_omp_events_wait(void)
{
    while (left_open) {
        struct crf_omp_event *event = left_open;

        while (!is_fulfilled(event))
            crf_pause();
        left_open = event->next;
        free(event);
    }
    while (put_off) {
        struct crf_omp_header *first = put_off, *rest = first->next;

        put_off = NULL;
        crf_omp_run_now((struct crf_omp_body *)(void *)(first + 1));
        crf_omp_events_wait();
        put_off = rest;
    }
}
