// A plain read of what others change atomically.
// race: 12 18 `count`
#include <pthread.h>
#include <stdatomic.h>

#include "suite.h"

static atomic_int count;

static void *work(void *unused)
{
    atomic_fetch_add(&count, 1);
    return unused;
}

static void *other(void *unused)
{
    volatile int seen = *(int *)&count;

    (void)seen;
    return unused;
}

PROGRAM(atomic_and_plain)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
