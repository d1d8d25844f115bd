// A result is read after the join.
// silence
#include <pthread.h>

#include "suite.h"

static int result;

static void *work(void *unused)
{
    result = 7;
    return unused;
}

PROGRAM(join)
{
    pthread_t one;

    result = 1;
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return result != 7;
}
