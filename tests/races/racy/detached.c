// Nobody waits for a detached thread before its result is read.
// race: 12 23 `result`
#include <pthread.h>
#include <unistd.h>

#include "suite.h"

static int result;

static void *work(void *unused)
{
    result = 7;
    return unused;
}

PROGRAM(detached)
{
    pthread_t one;

    pthread_create(&one, NULL, work, NULL);
    pthread_detach(one);
    usleep(3000);
    return result > 7;
}
