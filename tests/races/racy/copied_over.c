// A string is copied while another thread reads it.
// race: 13 19 `text`
#include <pthread.h>
#include <string.h>

#include "suite.h"

static char text[32];
static volatile unsigned long seen;

static void *work(void *unused)
{
    strcpy(text, "rockcreek");
    return unused;
}

static void *other(void *unused)
{
    seen = strlen(text);
    return unused;
}

PROGRAM(copied_over)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
