// Both threads make the table.
// race: 16 17 `table`
// race: 17 17 `table`
// may: 16 16 `table`
#include <pthread.h>

#include "suite.h"

static int *table;
static int values[2][4];

static void *work(void *number)
{
    int *mine = values[number != NULL];

    if (!table)
        table = mine;
    return NULL;
}

PROGRAM(lazy_init)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
