// All threads get the address of one loop variable.
// race: 12 23 the stack of thread 0
// may: 14 14 `sums`
#include <pthread.h>

#include "suite.h"

static int sums[3];

static void *work(void *argument)
{
    int number = *(int *)argument;

    sums[number % 3] = 0;
    return NULL;
}

PROGRAM(argument_reused)
{
    pthread_t threads[3];
    volatile int n;

    for (n = 0; n < 3; n++)
        pthread_create(&threads[n], NULL, work, (void *)&n);
    for (int m = 0; m < 3; m++)
        pthread_join(threads[m], NULL);
    return 0;
}
