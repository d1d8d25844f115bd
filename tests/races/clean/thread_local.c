// Each thread has a variable of its own.
// silence
#include <pthread.h>

#include "suite.h"

static _Thread_local int count;
static int sums[2];

static void *work(void *unused)
{
    for (int n = 0; n < 4; n++)
        count++;
    sums[unused != NULL] = count;
    return unused;
}

PROGRAM(thread_local)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &sums);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
