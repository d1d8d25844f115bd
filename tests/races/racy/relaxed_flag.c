// A relaxed flag publishes nothing.
// race: 14 23 `data`
#include <sched.h>
#include <stdatomic.h>
#include <pthread.h>

#include "suite.h"

static atomic_int ready;
static int data, seen;

static void *work(void *unused)
{
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *other(void *unused)
{
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        sched_yield();
    seen = data;
    return unused;
}

PROGRAM(relaxed_flag)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
