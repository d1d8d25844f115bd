// A semaphore lets two threads in.
// race: 14 14 `count`
#include <pthread.h>
#include <semaphore.h>

#include "suite.h"

static sem_t room;
static int count;

static void *work(void *unused)
{
    sem_wait(&room);
    count++;
    sem_post(&room);
    return unused;
}

PROGRAM(semaphore_of_two)
{
    pthread_t one, two;

    sem_init(&room, 0, 2);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    sem_destroy(&room);
    return 0;
}
