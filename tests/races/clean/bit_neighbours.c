// Fields of a structure, a thread each.
// silence
#include <pthread.h>

#include "suite.h"

static struct {
    short first, second;
} both;

static void *work(void *unused)
{
    both.first = 1;
    return unused;
}

static void *other(void *unused)
{
    both.second = 2;
    return unused;
}

PROGRAM(bit_neighbours)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
