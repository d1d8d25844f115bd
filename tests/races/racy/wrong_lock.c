// Each thread holds a lock, and not the same one.
// race: 14 22 `count`
#include <pthread.h>

#include "suite.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused)
{
    pthread_mutex_lock(&first);
    count++;
    pthread_mutex_unlock(&first);
    return unused;
}

static void *other(void *unused)
{
    pthread_mutex_lock(&second);
    count++;
    pthread_mutex_unlock(&second);
    return unused;
}

PROGRAM(wrong_lock)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
