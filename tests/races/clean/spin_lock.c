// A spin lock.
// silence
#include <pthread.h>

#include "suite.h"

static pthread_spinlock_t lock;
static int count;

static void *work(void *unused)
{
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return unused;
}

PROGRAM(spin_lock)
{
    pthread_t one, two;

    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
