/*
 * ready.c: the tasks by number, and those that may run by demand.
 *
 * Demand: messages that wait before a task, less those that wait behind it.
 * So what is near the sink goes first, and a source, which has nothing before
 * it, last: the graph takes in no more than it can put out.
 */
#include "ready.h"

#include <stdlib.h>

#define BUCKETS 4096u
#define SOURCE (-1000000)

struct heap {
    struct lpel_known **at;
    uint32_t count, room;
};

static struct lpel_known *bucket[BUCKETS];
static struct heap anywhere, bound[RCCE_MAXNP];
static uint32_t times;

static void *room(void *old, size_t bytes)
{
    void *new = realloc(old, bytes);

    if (!new)
        lpel_fail("fewer tasks at a time", "the conductor has no memory left");
    return new;
}

struct lpel_known *lpel_know(struct lpel_task *task)
{
    struct lpel_known *known = room(NULL, sizeof *known);
    struct lpel_known **first = &bucket[task->number % BUCKETS];

    *known = (struct lpel_known){
        .task = task,
        .number = task->number,
        .next = *first,
    };
    if (*first)
        (*first)->previous = known;
    *first = known;
    task->known = known;
    return known;
}

struct lpel_known *lpel_known_number(uint32_t number)
{
    struct lpel_known *known = bucket[number % BUCKETS];

    while (known && known->number != number)
        known = known->next;
    return known;
}

void lpel_forget(struct lpel_known *known)
{
    if (known->previous)
        known->previous->next = known->next;
    else
        bucket[known->number % BUCKETS] = known->next;
    if (known->next)
        known->next->previous = known->previous;
    free(known);
}

void lpel_each_known(void (*look)(const struct lpel_known *known))
{
    for (uint32_t n = 0; n < BUCKETS; n++)
        for (struct lpel_known *known = bucket[n]; known; known = known->next)
            look(known);
}

static int demand_for(const struct lpel_task *task)
{
    int demand = 0;

    if (!task->inputs)
        demand = SOURCE;
    for (struct lpel_stream *s = task->inputs; s; s = s->next_input)
        demand += (int)s->count;
    for (struct lpel_stream *s = task->outputs; s; s = s->next_output)
        demand -= (int)s->count;
    return demand;
}

static int before(const struct lpel_known *a, const struct lpel_known *b)
{
    if (a->demand != b->demand)
        return a->demand > b->demand;
    return (int)(a->since - b->since) < 0;
}

static void put(struct heap *heap, struct lpel_known *known)
{
    uint32_t at = heap->count++;

    if (heap->count > heap->room) {
        heap->room = heap->room ? 2 * heap->room : 64;
        heap->at = room(heap->at, heap->room * sizeof(struct lpel_known *));
    }
    while (at > 0 && before(known, heap->at[(at - 1) / 2])) {
        heap->at[at] = heap->at[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->at[at] = known;
}

static struct lpel_known *take(struct heap *heap)
{
    struct lpel_known *first = heap->count ? heap->at[0] : NULL;
    struct lpel_known *last;
    uint32_t at = 0, child;

    if (!first)
        return NULL;
    last = heap->at[--heap->count];
    while ((child = 2 * at + 1) < heap->count) {
        if (child + 1 < heap->count &&
            before(heap->at[child + 1], heap->at[child]))
            child++;
        if (!before(heap->at[child], last))
            break;
        heap->at[at] = heap->at[child];
        at = child;
    }
    if (heap->count)
        heap->at[at] = last;
    return first;
}

void lpel_put_ready(struct lpel_known *known)
{
    struct lpel_task *task = known->task;

    known->state = LPEL_READY;
    known->demand = demand_for(task);
    known->since = times++;
    put(task->home == LPEL_ANY ? &anywhere : &bound[task->home], known);
}

struct lpel_known *lpel_take_ready(int rank, int bound_only)
{
    struct heap *own = &bound[rank];
    int take_own = own->count && (bound_only || !anywhere.count ||
                                  before(own->at[0], anywhere.at[0]));

    if (take_own)
        return take(own);
    return bound_only ? NULL : take(&anywhere);
}
