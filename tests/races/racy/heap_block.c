// A block of malloc is filled by two threads.
// race: 12 12 a block of 64 bytes
#include <pthread.h>
#include <stdlib.h>

#include "suite.h"

static int *block;

static void *work(void *unused)
{
    block[3] = 1;
    return unused;
}

PROGRAM(heap_block)
{
    pthread_t one, two;

    block = malloc(64);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(block);
    return 0;
}
