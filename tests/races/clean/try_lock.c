// A lock that is tried until it is free.
// silence
#include <pthread.h>
#include <sched.h>

#include "suite.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused)
{
    while (pthread_mutex_trylock(&lock))
        sched_yield();
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

PROGRAM(try_lock)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
