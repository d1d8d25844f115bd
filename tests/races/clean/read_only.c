// All read what was written before they began.
// silence
#include <pthread.h>

#include "suite.h"

static int table[16], sums[2];

static void *work(void *unused)
{
    for (int n = 0; n < 16; n++)
        sums[unused != NULL] += table[n];
    return unused;
}

PROGRAM(read_only)
{
    pthread_t one, two;

    for (int n = 0; n < 16; n++)
        table[n] = n;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &table);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
