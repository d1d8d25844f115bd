// The first look is atomic.
// silence
#include <pthread.h>
#include <stdatomic.h>

#include "suite.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int storage;
static int *_Atomic object;
static int seen[2];

static void *work(void *unused)
{
    if (!atomic_load(&object)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&object)) {
            storage = 3;
            atomic_store(&object, &storage);
        }
        pthread_mutex_unlock(&lock);
    }
    seen[unused != NULL] = *atomic_load(&object);
    return unused;
}

PROGRAM(checked_twice)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &storage);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
