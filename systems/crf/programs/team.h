/*
 * team.h: threads that wait for each other at one barrier, and their clock.
 * POSIX alone, as in the programs that include it.
 */
#ifndef TEAM_H
#define TEAM_H

#include <pthread.h>
#include <time.h>

enum { TEAM_MOST = 64 };

static pthread_barrier_t barrier;
static int threads;

static long microseconds(void) /* of simulated time */
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Runs `work` on `threads` threads (1 to TEAM_MOST, set before), of which the
 * caller is the first; each gets a pointer to its number, an int from 0.
 * Returns 0 at once if a thread could not be started; otherwise, when all have
 * ended, 1, with the first thread's result in `result`. */
static int run_team(void *(*work)(void *), long *result)
{
    static int numbers[TEAM_MOST];
    pthread_t others[TEAM_MOST];

    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int n = 0; n < threads; n++)
        numbers[n] = n;
    for (int n = 1; n < threads; n++)
        if (pthread_create(&others[n], NULL, work, &numbers[n]))
            return 0;
    *result = (long)work(&numbers[0]);
    for (int n = 1; n < threads; n++)
        pthread_join(others[n], NULL);
    return 1;
}

#endif
