// Fences around relaxed operations publish data.
// silence
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "suite.h"

static atomic_int ready;
static int data, seen;

static void *work(void *unused)
{
    data = 5;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *other(void *unused)
{
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        sched_yield();
    atomic_thread_fence(memory_order_acquire);
    seen = data;
    return unused;
}

PROGRAM(fences)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
