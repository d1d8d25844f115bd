// Producer and consumer by two semaphores.
// silence
#include <pthread.h>
#include <semaphore.h>

#include "suite.h"

static sem_t full, empty;
static int slots[2], sum;

static void *work(void *unused)
{
    for (int n = 0; n < 6; n++) {
        sem_wait(&empty);
        slots[n % 2] = n;
        sem_post(&full);
    }
    return unused;
}

static void *other(void *unused)
{
    for (int n = 0; n < 6; n++) {
        sem_wait(&full);
        sum += slots[n % 2];
        sem_post(&empty);
    }
    return unused;
}

PROGRAM(buffer)
{
    pthread_t one, two;

    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 2);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    sem_destroy(&full);
    sem_destroy(&empty);
    return 0;
}
