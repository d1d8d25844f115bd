/*
 * regions.c: GNU's functions for regions and for what lies in them: barrier,
 * single, critical, ordered.
 */
#include "gomp.h"

int32_t __kmpc_single(struct crf_place *place, int32_t thread);
void __kmpc_critical(struct crf_place *place, int32_t thread, const void *name);
void __kmpc_end_critical(struct crf_place *place, int32_t thread,
                         const void *name);
void __kmpc_ordered(struct crf_place *place, int32_t thread);
int32_t __kmpc_omp_taskwait(struct crf_place *place, int32_t thread);

static char unnamed, atomics; /* for their addresses */

/* What a team's other threads call. */
static void call(int32_t *thread, int32_t *bound, void (*function)(void *),
                 void *data)
{
    (void)thread;
    (void)bound;
    function(data);
}

void GOMP_parallel_start(void (*function)(void *), void *data, unsigned threads)
{
    uint32_t arguments[] = {(uint32_t)function, (uint32_t)data};

    crf_omp_pushed = (int)threads;
    crf_omp_begin_team((void *)call, 2, arguments);
}

void GOMP_parallel_end(void)
{
    crf_omp_end_team();
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads,
                   unsigned flags)
{
    (void)flags;
    GOMP_parallel_start(function, data, threads);
    function(data);
    GOMP_parallel_end();
}

void GOMP_barrier(void)
{
    crf_omp_barrier();
}

void GOMP_taskwait(void)
{
    __kmpc_omp_taskwait(NULL, crf_omp_thread);
}

bool GOMP_single_start(void)
{
    return __kmpc_single(NULL, crf_omp_thread) != 0;
}

/* Null for the thread that does it; what that passed on for the others. */
void *GOMP_single_copy_start(void)
{
    void *data;

    if (GOMP_single_start())
        return NULL;
    crf_omp_barrier();
    data = (void *)CRF_OMP->copyprivate;
    crf_omp_barrier();
    return data;
}

void GOMP_single_copy_end(void *data)
{
    CRF_OMP->copyprivate = (uint32_t)data;
    crf_omp_barrier();
    crf_omp_barrier();
}

void GOMP_critical_name_start(void **name)
{
    __kmpc_critical(NULL, crf_omp_thread, name);
}

void GOMP_critical_name_end(void **name)
{
    __kmpc_end_critical(NULL, crf_omp_thread, name);
}

void GOMP_critical_start(void)
{
    __kmpc_critical(NULL, crf_omp_thread, &unnamed);
}

void GOMP_critical_end(void)
{
    __kmpc_end_critical(NULL, crf_omp_thread, &unnamed);
}

void GOMP_atomic_start(void)
{
    __kmpc_critical(NULL, crf_omp_thread, &atomics);
}

void GOMP_atomic_end(void)
{
    __kmpc_end_critical(NULL, crf_omp_thread, &atomics);
}

void GOMP_ordered_start(void)
{
    __kmpc_ordered(NULL, crf_omp_thread);
}

void GOMP_ordered_end(void)
{
    if (crf_omp_self.dealt.shared)
        crf_release_to(&crf_omp_self.dealt.shared->ordered);
}
