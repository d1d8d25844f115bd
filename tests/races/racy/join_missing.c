// The result is read before the thread is joined.
// race: 11 21 `result`
#include <pthread.h>

#include "suite.h"

static int result;

static void *work(void *unused)
{
    result = 7;
    return unused;
}

PROGRAM(join_missing)
{
    pthread_t one;
    int seen;

    pthread_create(&one, NULL, work, NULL);
    seen = result;
    pthread_join(one, NULL);
    return seen > 7;
}
