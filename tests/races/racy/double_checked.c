// The first look at the pointer takes no lock.
// race: 12 16 `object`
#include <pthread.h>

#include "suite.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int storage, *object;

static void *work(void *unused)
{
    if (!object) {
        pthread_mutex_lock(&lock);
        if (!object) {
            storage = 3;
            object = &storage;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

PROGRAM(double_checked)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
