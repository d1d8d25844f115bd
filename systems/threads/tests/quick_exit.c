// quick_exit and _exit, on any core, end the program while other threads sleep; without atexit's functions.
// cc: -O2 -pthread
// run: -n 3 --tag none --timeout 60s
// also: --threads-model lazy
// also: --threads-model uncached
// expect-exit: 4
// expect-stdout:
// quick 7
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
    puts("atexit");
}

static void quickly(void)
{
    printf("quick %d\n", 7);
    fflush(stdout);
}

static void *sleeps(void *argument)
{
    for (;;)
        sleep(1);
    return argument;
}

/* On the third core. */
static void *ends(void *argument)
{
    quick_exit(4);
    return argument;
}

int main(void)
{
    pthread_t thread;

    atexit(never);
    at_quick_exit(quickly);
    pthread_create(&thread, NULL, sleeps, NULL);
    pthread_create(&thread, NULL, ends, NULL);
    sleeps(NULL);
}
