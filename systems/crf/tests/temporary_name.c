// A thread makes a file in /tmp, and a thread of another core hears why it cannot open it.
// cc: -O2 -pthread
// run: -n 2 --tag none
// expect-stdout:
// 1 0
// expect-stderr: thread on core 0: /tmp/made is not to be found here(.|\n)*hint: rck run --share DIR
#include <pthread.h>
#include <stdio.h>

static void *makes(void *argument)
{
    FILE *file = fopen("/tmp/made", "w");

    fclose(file);
    return argument;
}

int main(void)
{
    pthread_t thread;
    FILE *never = fopen("/tmp/never", "r");

    pthread_create(&thread, NULL, makes, NULL);
    pthread_join(thread, NULL);
    printf("%d %d\n", never == NULL, fopen("/tmp/made", "r") != NULL);
    return 0;
}
