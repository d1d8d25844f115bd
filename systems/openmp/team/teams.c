/*
 * teams.c: teams, distribute and target. A league has one team, which OpenMP
 * allows whatever was asked for; a target region runs here, for there is no
 * other device.
 */
#include "../openmp.h"

#include <stdarg.h>

static _Thread_local int limit; /* of the league to come; or 0 */

void __kmpc_push_num_teams(struct crf_place *place, int32_t thread,
                           int32_t teams, int32_t threads)
{
    (void)place;
    (void)thread;
    (void)teams;
    limit = threads;
}

void __kmpc_push_num_teams_51(struct crf_place *place, int32_t thread,
                              int32_t least, int32_t most, int32_t threads)
{
    (void)least;
    __kmpc_push_num_teams(place, thread, most, threads);
}

void __kmpc_set_thread_limit(struct crf_place *place, int32_t thread,
                             int32_t threads)
{
    (void)place;
    (void)thread;
    crf_omp_self.limit = threads;
}

/* The team's first thread is the caller; regions inside have all threads. */
void __kmpc_fork_teams(struct crf_place *place, int32_t count, void *function,
                       ...)
{
    struct crf_omp_self before = crf_omp_self;
    uint32_t arguments[CRF_OMP_ARGUMENTS];
    va_list list;

    (void)place;
    va_start(list, function);
    crf_omp_arguments(arguments, count, list);
    va_end(list);
    if (limit > 0)
        crf_omp_self.limit = limit;
    limit = 0;
    crf_omp_call(function, (uint32_t)count, arguments);
    crf_omp_self = before;
}

struct crf_omp_body *__kmpc_omp_target_task_alloc(struct crf_place *place,
                                                  int32_t thread, int32_t flags,
                                                  uint32_t body_bytes,
                                                  uint32_t shared_bytes,
                                                  void *routine, int64_t device)
{
    (void)device;
    return __kmpc_omp_task_alloc(place, thread, flags, body_bytes, shared_bytes,
                                 routine);
}

int omp_get_num_teams(void)
{
    return 1;
}

int omp_get_team_num(void)
{
    return 0;
}

int omp_get_thread_limit(void)
{
    return crf_omp_self.limit ? crf_omp_self.limit : CRF_OMP_THREADS;
}

int omp_get_initial_device(void)
{
    return 0;
}

int omp_get_num_devices(void)
{
    return 0;
}

int omp_get_device_num(void)
{
    return 0;
}

void omp_set_default_device(int device)
{
    (void)device;
}

int omp_get_default_device(void)
{
    return 0;
}

int omp_is_initial_device(void)
{
    return 1;
}

/* Threads of the pool sleep between regions: there is nothing to give back. */
int omp_pause_resource(omp_pause_resource_t kind, int device)
{
    (void)kind;
    return device == omp_get_initial_device() && !omp_in_parallel() ? 0 : -1;
}

int omp_pause_resource_all(omp_pause_resource_t kind)
{
    return omp_pause_resource(kind, omp_get_initial_device());
}
