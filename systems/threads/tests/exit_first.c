// _exit on the first core ends the program while threads of other cores sleep.
// cc: -O2 -pthread
// run: -n 3 --tag none --timeout 60s
// expect-exit: 5
// expect-stdout:
// begun
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
    puts("atexit");
}

static void *sleeps(void *argument)
{
    for (;;)
        sleep(1);
    return argument;
}

int main(void)
{
    pthread_t thread;

    atexit(never);
    puts("begun");
    fflush(stdout);
    pthread_create(&thread, NULL, sleeps, NULL);
    pthread_create(&thread, NULL, sleeps, NULL);
    usleep(1000);
    _exit(5);
}
