// Readers read, a writer writes.
// silence
#include <pthread.h>

#include "suite.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, seen[2];

static void *work(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    seen[0] += value;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *other(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    seen[1] += value;
    pthread_rwlock_unlock(&lock);
    return unused;
}

PROGRAM(readers_and_writer)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
