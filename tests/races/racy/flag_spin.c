// A flag without an atomic type orders nothing.
// race: 16 22 `ready`
// race: 15 24 `data`
#include <sched.h>
#include <pthread.h>

#include "suite.h"

static volatile int ready;
static int data;
static int seen;

static void *work(void *unused)
{
    data = 5;
    ready = 1;
    return unused;
}

static void *other(void *unused)
{
    while (!ready)
        sched_yield();
    seen = data;
    return unused;
}

PROGRAM(flag_spin)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
