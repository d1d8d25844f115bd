/*
 * critical.c: what a critical costs when all threads of a team contend for it,
 * around nothing and around one word that each of them changes.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#define TIMES 50

static int word;

static uint64_t now(void)
{
    return __builtin_ia32_rdtsc();
}

/* Cycles from one thread's critical to the next one's. */
static uint64_t cost(int changes)
{
    uint64_t start = 0, end = 0;

#pragma omp parallel
    {
#pragma omp barrier
#pragma omp masked
        start = now();
        for (int n = 0; n < TIMES; n++) {
#pragma omp critical
            if (changes)
                word += changes;
        }
#pragma omp barrier
#pragma omp masked
        end = now();
    }
    return (end - start) / (uint64_t)(TIMES * omp_get_max_threads());
}

int main(void)
{
    uint64_t word_cycles = cost(1), nothing = cost(0);

    printf("%d threads: %llu cycles around a word, %llu around nothing\n",
           omp_get_max_threads(), (unsigned long long)word_cycles,
           (unsigned long long)nothing);
    return word != TIMES * omp_get_max_threads();
}
