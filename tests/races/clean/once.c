// Pthread_once.
// silence
#include <pthread.h>

#include "suite.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[4], seen[2];

static void make(void)
{
    for (int n = 0; n < 4; n++)
        table[n] = n;
}

static void *work(void *unused)
{
    pthread_once(&once, make);
    seen[unused != NULL] = table[3];
    return unused;
}

PROGRAM(once)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &table);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
