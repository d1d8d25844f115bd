// A lock that the program makes of an atomic flag.
// silence
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "suite.h"

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static void *work(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        sched_yield();
    count++;
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return unused;
}

PROGRAM(atomic_lock)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
