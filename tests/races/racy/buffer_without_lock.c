// Producer and consumer share an index that nobody guards.
// race: 17 26 `filled`
#include <pthread.h>
#include <semaphore.h>

#include "suite.h"

static sem_t full;
static int filled, taken;
static int items[4];

static void *work(void *unused)
{
    for (int n = 0; n < 4; n++) {
        items[n] = n;
        sem_post(&full);
        filled = n;
    }
    return unused;
}

static void *other(void *unused)
{
    for (int n = 0; n < 4; n++) {
        sem_wait(&full);
        taken += items[n] + (filled > n);
    }
    return unused;
}

PROGRAM(buffer_without_lock)
{
    pthread_t one, two;

    sem_init(&full, 0, 0);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    sem_destroy(&full);
    return 0;
}
