// Threads write neighbours in one word: false sharing is no race.
// silence
#include <pthread.h>

#include "suite.h"

static char bytes[8];
static int number[2] = {0, 1};

static void *work(void *unused)
{
    int me = unused != NULL;

    for (int n = me; n < 8; n += 2)
        bytes[n] = (char)(n + number[me]);
    return unused;
}

PROGRAM(own_elements)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &number);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
