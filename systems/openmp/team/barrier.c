/*
 * barrier.c: the team's barrier, at which tasks are run until none is left. All
 * of a team's state lies off-die under one guard.
 */
#include "../openmp.h"

struct crf_object *crf_omp_team(void)
{
    return crf_object(CRF_OMP_TEAM, CRF_TEAM, 0);
}

/* If all have come and no task is left, all go on; lets go of the team. */
static int release_all(struct crf_object *team)
{
    uint32_t all;

    if (CRF_OMP->arrived < CRF_OMP->size || CRF_OMP->tasks_left)
        return 0;
    CRF_OMP->arrived = 0;
    CRF_OMP->generation++;
    all = crf_take_all(&team->waiting);
    crf_object_done(team);
    crf_wake_chain(all);
    return 1;
}

/* Who waits at a barrier may run them. */
void crf_omp_queued(struct crf_object *team, uint32_t count)
{
    uint32_t all = count > 1 ? crf_take_all(&team->waiting) : 0;
    int next = crf_dequeue(&team->waiting);

    crf_object_done(team);
    crf_wake_chain(all);
    if (next >= 0)
        crf_wake(next);
}

/* After the last one all go on. */
void crf_omp_ended(struct crf_object *team)
{
    if (!release_all(team))
        crf_object_done(team);
}

/* Runs tasks until all have come. */
static void wait_at_barrier(uint32_t generation)
{
    for (;;) {
        struct crf_object *team = crf_omp_team();
        uint32_t task;

        if (CRF_OMP->generation != generation) {
            crf_object_done(team);
            return;
        }
        task = crf_omp_take(crf_omp_any);
        if (task) {
            crf_object_done(team);
            crf_omp_run(task);
        } else {
            crf_enqueue(team, &team->waiting);
            crf_sleep();
        }
    }
}

/* Who has come to this barrier, and not to the next one already. */
static const void *arrivals(uint32_t generation)
{
    return (const void *)(generation & 1 ? &CRF_OMP->arrived
                                         : &CRF_OMP->generation);
}

/* The others come and go on, and all tasks of the team are done. */
void crf_omp_barrier(void)
{
    struct crf_object *team;
    uint32_t generation;

    if (crf_omp_self.size == 1) {
        crf_omp_events_wait();
        return;
    }
    generation = CRF_OMP->generation; /* of this thread's own team: it stays */
    crf_release_to(arrivals(generation));
    team = crf_omp_team();
    CRF_OMP->arrived++;
    if (!release_all(team)) {
        crf_object_done(team);
        wait_at_barrier(generation);
    }
    crf_acquire_from(arrivals(generation));
    crf_order_acquire_one(&CRF_OMP->tasks_left, generation & 1);
}

void __kmpc_barrier(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
    crf_omp_barrier();
}

int32_t __kmpc_cancel_barrier(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
    crf_omp_barrier();
    return 0;
}
