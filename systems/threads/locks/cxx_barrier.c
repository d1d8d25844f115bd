/*
 * cxx_barrier.c: how std::barrier counts who has come. C++'s library does it by
 * instructions that lock nothing between cores.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct arrivals {
    pthread_mutex_t turn;
    const ptrdiff_t *expected; /* of the barrier, which changes it */
    ptrdiff_t come;
};

struct arrivals *crf_cxx_barrier(const ptrdiff_t *expected) __asm__(
    "_ZNSt3__134__construct_barrier_algorithm_baseERi");
bool crf_cxx_arrive(struct arrivals *arrivals, uint8_t phase) __asm__(
    "_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_"
    "baseEh");
void crf_cxx_barrier_end(struct arrivals *arrivals) __asm__(
    "_ZNSt3__132__destroy_barrier_algorithm_baseEPNS_24__barrier_algorithm_"
    "baseE");

struct arrivals *crf_cxx_barrier(const ptrdiff_t *expected)
{
    struct arrivals *arrivals = malloc(sizeof *arrivals);

    if (!arrivals)
        abort();
    *arrivals = (struct arrivals){.expected = expected};
    pthread_mutex_init(&arrivals->turn, NULL);
    return arrivals;
}

/* Whether the caller is the last of this phase: it begins the next one. */
bool crf_cxx_arrive(struct arrivals *arrivals, uint8_t phase)
{
    bool last;

    (void)phase;
    pthread_mutex_lock(&arrivals->turn);
    last = ++arrivals->come == *arrivals->expected;
    if (last)
        arrivals->come = 0;
    pthread_mutex_unlock(&arrivals->turn);
    return last;
}

void crf_cxx_barrier_end(struct arrivals *arrivals)
{
    pthread_mutex_destroy(&arrivals->turn);
    free(arrivals);
}
