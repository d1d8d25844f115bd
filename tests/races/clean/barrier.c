// Two steps with a barrier between them.
// silence
#include <pthread.h>

#include "suite.h"

static pthread_barrier_t barrier;
static int a[2], b[2];

static void *work(void *argument)
{
    int me = argument != NULL;

    for (int n = 0; n < 3; n++) {
        a[me] = n;
        pthread_barrier_wait(&barrier);
        b[me] += a[!me];
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

PROGRAM(barrier)
{
    pthread_t one, two;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &barrier);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_barrier_destroy(&barrier);
    return b[0] != 3 || b[1] != 3;
}
