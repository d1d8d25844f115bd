/*
 * construct.c: single, master, critical, flush, reductions.
 */
#include "../../crf/pages/pages.h"
#include "../openmp.h"

#define SINGLES 5u /* a test-and-set register, by number */
#define ATOMIC_REDUCE 0x10

/* The first thread that comes to a single does it: all count them. */
int32_t __kmpc_single(struct crf_place *place, int32_t thread)
{
    uint32_t number = crf_omp_self.singles++;
    int first;

    (void)place;
    (void)thread;
    if (crf_omp_self.size == 1)
        return 1;
    crf_guard(SINGLES);
    first = CRF_OMP->singles == number;
    if (first)
        CRF_OMP->singles = number + 1;
    crf_unguard(SINGLES);
    return first;
}

void __kmpc_end_single(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
}

/* Pointers to the values lie on the stack of the thread that did it. */
void __kmpc_copyprivate(struct crf_place *place, int32_t thread, uint32_t size,
                        void *data, void (*copy)(void *to, void *from),
                        int32_t did)
{
    (void)place;
    (void)thread;
    (void)size;
    if (did)
        CRF_OMP->copyprivate = (uint32_t)data;
    crf_omp_barrier();
    if (!did)
        copy(data, (void *)CRF_OMP->copyprivate);
    crf_omp_barrier();
}

int32_t __kmpc_masked(struct crf_place *place, int32_t thread, int32_t number)
{
    (void)place;
    (void)thread;
    return crf_omp_self.number == number;
}

void __kmpc_end_masked(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
}

int32_t __kmpc_master(struct crf_place *place, int32_t thread)
{
    return __kmpc_masked(place, thread, 0);
}

void __kmpc_end_master(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
}

/* Where Clang puts the names of critical sections is no shared memory, and no
 * lock lies at an odd address. */
static const void *lock_of(const void *name)
{
    return (const char *)name + 1;
}

void __kmpc_critical(struct crf_place *place, int32_t thread, const void *name)
{
    (void)place;
    (void)thread;
    crf_lock(lock_of(name), CRF_MUTEX, 0);
}

void __kmpc_critical_with_hint(struct crf_place *place, int32_t thread,
                               const void *name, uint32_t hint)
{
    (void)hint;
    __kmpc_critical(place, thread, name);
}

void __kmpc_end_critical(struct crf_place *place, int32_t thread,
                         const void *name)
{
    (void)place;
    (void)thread;
    crf_unlock(lock_of(name), CRF_MUTEX);
}

void __kmpc_flush(struct crf_place *place)
{
    (void)place;
    crf_atomic_fence(CRF_ACQUIRE | CRF_RELEASE);
}

/* 2: each thread adds what it has by atomic operations, where Clang has made
 * code for that; 1: it does so by plain ones, and no other at this time. */
static _Thread_local int locked;

int32_t __kmpc_reduce_nowait(struct crf_place *place, int32_t thread,
                             int32_t count, uint32_t size, void *data,
                             void *function, const void *name)
{
    (void)thread;
    (void)count;
    (void)size;
    (void)data;
    (void)function;
    if (crf_omp_self.size > 1 && place->flags & ATOMIC_REDUCE)
        return 2;
    locked = crf_omp_self.size > 1;
    if (locked)
        crf_lock(lock_of(name), CRF_MUTEX, 0);
    return 1;
}

void __kmpc_end_reduce_nowait(struct crf_place *place, int32_t thread,
                              const void *name)
{
    (void)place;
    (void)thread;
    if (locked)
        crf_unlock(lock_of(name), CRF_MUTEX);
    locked = 0;
}

int32_t __kmpc_reduce(struct crf_place *place, int32_t thread, int32_t count,
                      uint32_t size, void *data, void *function,
                      const void *name)
{
    return __kmpc_reduce_nowait(place, thread, count, size, data, function,
                                name);
}

void __kmpc_end_reduce(struct crf_place *place, int32_t thread,
                       const void *name)
{
    __kmpc_end_reduce_nowait(place, thread, name);
    crf_omp_barrier();
}
