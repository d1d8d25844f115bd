// An atomic counter.
// silence
#include <pthread.h>
#include <stdatomic.h>

#include "suite.h"

static atomic_int count;

static void *work(void *unused)
{
    for (int n = 0; n < 4; n++)
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

PROGRAM(atomic_count)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
