// Threads come after each other on one stack.
// silence
#include <pthread.h>

#include "suite.h"

static void *work(void *argument)
{
    volatile int local[16];

    for (int n = 0; n < 16; n++)
        local[n] = n;
    *(int *)argument = local[7];
    return NULL;
}

PROGRAM(stack_reused)
{
    int wrong = 0;

    for (int n = 0; n < 4; n++) {
        pthread_t one;
        int value = 0;

        pthread_create(&one, NULL, work, &value);
        pthread_join(one, NULL);
        wrong += value != 7;
    }
    return wrong;
}
