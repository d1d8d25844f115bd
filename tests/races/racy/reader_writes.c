// A thread that holds the lock as a reader writes.
// race: 13 13 `hits`
#include <pthread.h>

#include "suite.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *work(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    hits++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

PROGRAM(reader_writes)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
