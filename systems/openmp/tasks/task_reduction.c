/*
 * task_reduction.c: reductions that tasks take part in. Each thread that runs
 * such a task has a copy of its own, made at its first use; who ends the
 * taskgroup puts them together. With reduction(task, ...) all threads of the
 * team have groups with the same copies, and the last one to end it does so.
 */
#include "../openmp.h"

#include <stdlib.h>

/* As Clang lays it out. */
struct item {
    char *shared;
    char *original;
    uint32_t bytes;
    void (*start)(void *own, void *original);
    void (*end)(void *own);
    void (*combine)(void *to, void *from);
    uint32_t flags;
};

/* In shared memory, as the copies are. */
struct crf_omp_reductions {
    uint32_t count, threads;
    int team;   /* whose copies they are: of the group, or that of the team */
    void **own; /* of each item those of all threads */
    struct item item[];
};
enum { OF_GROUP = -1 };

static void *memory(size_t bytes)
{
    void *new = calloc(1, bytes);

    if (!new)
        crf_fail("fewer or smaller ones", "no memory for a task's reduction");
    return new;
}

/* Starts reductions of this thread's group. */
static void start(uint32_t count, const struct item *items, int team,
                  void **own)
{
    struct crf_omp_reductions *new =
        memory(sizeof *new + count * sizeof *items);

    new->count = count;
    new->threads = (uint32_t)crf_omp_self.size;
    new->team = team;
    new->own = own;
    for (uint32_t n = 0; n < count; n++)
        new->item[n] = items[n];
    CRF_OMP->task[crf_omp_self.group].reductions = (uint32_t)new;
}

static void **no_copies(uint32_t count)
{
    return memory(count * (uint32_t)crf_omp_self.size * sizeof(void *));
}

void *__kmpc_taskred_init(int32_t thread, int32_t count, void *items)
{
    (void)thread;
    if (crf_omp_self.size == 1)
        return NULL;
    start((uint32_t)count, items, OF_GROUP, no_copies((uint32_t)count));
    return (void *)crf_omp_self.group;
}

/* The first one's of those that the threads bring. */
static void **copies_of_team(int worksharing, uint32_t count)
{
    volatile uint32_t *place = &CRF_OMP->reduction[worksharing];
    struct crf_object *team;
    void **mine, **chosen;

    if (!*place) {
        mine = no_copies(count);
        crf_release();
        team = crf_omp_team();
        if (!*place)
            *place = (uint32_t)mine;
        chosen = (void **)*place;
        crf_object_done(team);
        if (chosen != mine)
            free(mine);
    }
    crf_acquire();
    return (void **)*place;
}

void *__kmpc_taskred_modifier_init(struct crf_place *place, int32_t thread,
                                   int32_t worksharing, int32_t count,
                                   void *items)
{
    __kmpc_taskgroup(place, thread);
    if (crf_omp_self.size == 1)
        return NULL;
    worksharing = worksharing != 0;
    start((uint32_t)count, items, worksharing,
          copies_of_team(worksharing, (uint32_t)count));
    return (void *)crf_omp_self.group;
}

void __kmpc_task_reduction_modifier_fini(struct crf_place *place,
                                         int32_t thread, int32_t worksharing)
{
    (void)worksharing;
    __kmpc_end_taskgroup(place, thread);
}

/* Where in the item it points; bytes: not into it. The item may be named by
 * what it is at first, by what it is reduced to, or by a thread's copy. */
static uint32_t offset_in(const struct crf_omp_reductions *reductions,
                          uint32_t n, const char *data)
{
    const struct item *item = &reductions->item[n];
    void **own = reductions->own + n * reductions->threads;
    uint32_t offset = (uint32_t)(data - item->shared);

    if (offset >= item->bytes)
        offset = (uint32_t)(data - item->original);
    for (uint32_t thread = 0;
         offset >= item->bytes && thread < reductions->threads; thread++)
        if (own[thread])
            offset = (uint32_t)(data - (char *)own[thread]);
    return offset < item->bytes ? offset : item->bytes;
}

static char *own_copy(const struct crf_omp_reductions *reductions, uint32_t n)
{
    const struct item *item = &reductions->item[n];
    void **own =
        reductions->own + n * reductions->threads + crf_omp_self.number;

    if (!*own) {
        *own = memory(item->bytes);
        if (item->start)
            item->start(*own, item->original);
    }
    return *own;
}

/* Tasks that one thread runs use its copy one after the other: whether this one
 * does. */
static _Thread_local int reduces;

static void begin_to_reduce(void)
{
    if (!reduces)
        crf_order_acquire_one(&CRF_OMP->reduction, crf_self);
    reduces = 1;
}

void crf_omp_order_reductions(void)
{
    if (reduces)
        crf_order_release_one(&CRF_OMP->reduction, crf_self);
    reduces = 0;
}

/* `group`: null is the one that the task is in. */
void *__kmpc_task_reduction_get_th_data(int32_t thread, void *group, void *data)
{
    uint32_t at = group ? (uint32_t)group : crf_omp_self.group;

    (void)thread;
    if (crf_omp_self.size == 1)
        return data;
    begin_to_reduce();
    for (; at; at = CRF_OMP->task[at].group) {
        const struct crf_omp_reductions *reductions =
            (void *)CRF_OMP->task[at].reductions;

        for (uint32_t n = 0; reductions && n < reductions->count; n++) {
            uint32_t offset = offset_in(reductions, n, data);

            if (offset < reductions->item[n].bytes)
                return own_copy(reductions, n) + offset;
        }
    }
    crf_fail("name it in task_reduction of a taskgroup around",
             "in_reduction: the variable at %p is in no reduction", data);
}

/* Of a team's copies: whether all others have ended their groups. */
static int is_last(int team)
{
    struct crf_object *guard;
    int last;

    if (team == OF_GROUP)
        return 1;
    crf_release_to(&CRF_OMP->reduction_ends[team]);
    guard = crf_omp_team();
    last = ++CRF_OMP->reduction_ends[team] == CRF_OMP->size;
    if (last)
        CRF_OMP->reduction_ends[team] = CRF_OMP->reduction[team] = 0;
    crf_object_done(guard);
    if (last)
        crf_acquire_from(&CRF_OMP->reduction_ends[team]);
    return last;
}

static void put_together(const struct crf_omp_reductions *reductions)
{
    void **own = reductions->own;

    for (uint32_t n = 0; n < reductions->count; n++) {
        const struct item *item = &reductions->item[n];

        for (uint32_t thread = 0; thread < reductions->threads;
             thread++, own++) {
            if (!*own)
                continue;
            item->combine(item->shared, *own);
            if (item->end)
                item->end(*own);
            free(*own);
        }
    }
    free(reductions->own);
}

/* All tasks of the group have ended. */
void crf_omp_end_reductions(uint32_t group)
{
    struct crf_omp_reductions *reductions =
        (void *)CRF_OMP->task[group].reductions;

    if (!reductions)
        return;
    if (is_last(reductions->team))
        put_together(reductions);
    free(reductions);
}
