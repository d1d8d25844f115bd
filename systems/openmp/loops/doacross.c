/*
 * doacross.c: ordered loops whose iterations wait for others by name: a bit
 * for each iteration, in shared memory, which is set once its part is done.
 *
 * Clang counts iterations of each of the loops from 0.
 */
#include "../openmp.h"

#include <stdlib.h>

#include "../../crf/pages/pages.h"

struct dimension {
    int64_t first, end, step;
} __attribute__((packed, aligned(4)));

#define here (crf_omp_self.across)

static struct crf_omp_doacross *shared_loop(uint32_t number)
{
    struct crf_omp_doacross *loop = &CRF_OMP->doacross[number % CRF_OMP_LOOPS];

    while (loop->number != number) /* others are eight loops behind */
        crf_pause();
    return loop;
}

/* The first one's of those that the threads bring. */
static uint32_t *bits(struct crf_omp_doacross *loop, uint64_t iterations)
{
    if (!loop->done) {
        uint32_t words = (uint32_t)((iterations + 31) / 32), *mine;
        int first;

        mine = iterations >> 32 ? NULL : calloc(words + 1, sizeof *mine);
        if (!mine)
            crf_fail("a smaller loop inside ordered(n)",
                     "no memory for %llu iterations that wait for others",
                     (unsigned long long)iterations);
        crf_release();
        crf_guard(here.number);
        first = !loop->done;
        if (first)
            loop->done = (uint32_t)mine;
        crf_unguard(here.number);
        if (!first)
            free(mine);
    }
    crf_acquire(); /* another core may have cleared them */
    return (uint32_t *)loop->done;
}

void __kmpc_doacross_init(struct crf_place *place, int32_t thread,
                          int32_t count, const struct dimension *dimensions)
{
    uint64_t iterations = 1;

    (void)place;
    (void)thread;
    here.done = NULL;
    if (crf_omp_self.size == 1)
        return;
    here.trip = malloc((uint32_t)count * sizeof *here.trip);
    if (!here.trip)
        crf_fail("a smaller number", "no memory for ordered(%d)", (int)count);
    here.loops = (uint32_t)count;
    for (uint32_t n = 0; n < here.loops; n++) {
        here.trip[n] = (uint64_t)dimensions[n].end;
        iterations *= here.trip[n];
    }
    here.number = crf_omp_self.doacross++;
    here.shared = shared_loop(here.number);
    here.done = bits(here.shared, iterations);
}

/* False: there is no such iteration. */
static int number_of(const int64_t *vector, uint64_t *number)
{
    *number = 0;
    for (uint32_t n = 0; n < here.loops; n++) {
        if (vector[n] < 0 || (uint64_t)vector[n] >= here.trip[n])
            return 0;
        *number = *number * here.trip[n] + (uint64_t)vector[n];
    }
    return 1;
}

void __kmpc_doacross_wait(struct crf_place *place, int32_t thread,
                          const int64_t *vector)
{
    uint64_t number;
    uint32_t *word;

    (void)place;
    (void)thread;
    if (!here.done || !number_of(vector, &number))
        return;
    word = here.done + number / 32;
    while (!(crf_atomic_read(word, sizeof *word, 0) >> number % 32 & 1))
        crf_pause();
    crf_acquire();
    crf_order_acquire_one(here.done, (uint32_t)number);
}

void __kmpc_doacross_post(struct crf_place *place, int32_t thread,
                          const int64_t *vector)
{
    uint64_t number;

    (void)place;
    (void)thread;
    if (!here.done || !number_of(vector, &number))
        return;
    crf_order_release_one(here.done, (uint32_t)number);
    crf_atomic_modify(here.done + number / 32, sizeof *here.done, CRF_OR,
                      1u << number % 32, CRF_RELEASE);
}

/* The last one to leave makes room for a loop to come. */
void __kmpc_doacross_fini(struct crf_place *place, int32_t thread)
{
    struct crf_omp_doacross *loop = here.shared;
    int last;

    (void)place;
    (void)thread;
    if (!here.done)
        return;
    crf_guard(here.number);
    last = ++loop->ended == CRF_OMP->size;
    if (last) {
        loop->ended = loop->done = 0;
        loop->number = here.number + CRF_OMP_LOOPS;
    }
    crf_unguard(here.number);
    if (last) {
        crf_acquire(); /* another core may have made it */
        free(here.done);
    }
    free(here.trip);
    here.done = NULL;
}
