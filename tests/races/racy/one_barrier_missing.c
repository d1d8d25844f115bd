// What is written after the barrier is read after it, too.
// race: 16 17 `next`
#include <pthread.h>

#include "suite.h"

static pthread_barrier_t barrier;
static int now[2], next[2], sum[2];

static void *work(void *argument)
{
    int me = argument != NULL;

    now[me] = me;
    pthread_barrier_wait(&barrier);
    next[me] = now[!me];
    sum[me] = next[!me];
    return NULL;
}

PROGRAM(one_barrier_missing)
{
    pthread_t one, two;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &barrier);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
