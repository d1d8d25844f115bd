// A block is freed and given to another thread.
// silence
#include <pthread.h>
#include <stdlib.h>

#include "suite.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *unused)
{
    for (int n = 0; n < 4; n++) {
        int *block = malloc(24), seen;

        block[0] = n;
        seen = block[0];
        free(block);
        pthread_mutex_lock(&lock);
        sum += seen;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

PROGRAM(heap_reused)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
