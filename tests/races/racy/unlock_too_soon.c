// The value is used after the lock was left.
// race: 15 15 `total`
#include <pthread.h>

#include "suite.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn, total;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    turn++;
    pthread_mutex_unlock(&lock);
    total += 5;
    return unused;
}

PROGRAM(unlock_too_soon)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
