// Two threads push to a list without a lock.
// race: 18 19 `head`
// may: 19 19 `head`
#include <pthread.h>
#include <stdlib.h>

#include "suite.h"

struct item {
    struct item *next;
};
static struct item *head;

static void *work(void *unused)
{
    struct item *item = malloc(sizeof *item);

    item->next = head;
    head = item;
    return unused;
}

PROGRAM(heap_list)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
