// Two threads count without a lock.
// race: 12 12 `count`
#include <pthread.h>

#include "suite.h"

static int count;

static void *work(void *unused)
{
    for (int n = 0; n < 8; n++)
        count++;
    return unused;
}

PROGRAM(missing_lock)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
