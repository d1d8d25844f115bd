// Static data of more than 64 MB lie in memory that cores lend, before the heap.
// cc: -O1 -pthread
// run: -q -n 2 --tag none
// also: --threads-model uncached
// expect-stdout:
// 90 MB: 0 wrong
#include <pthread.h>
#include <stdio.h>

#define MB (1u << 20)
#define STEP (MB / sizeof(unsigned))

static unsigned data[90 * MB / sizeof(unsigned)];

static void *fill(void *argument)
{
    for (unsigned n = 0; n < sizeof data / sizeof *data; n += STEP)
        data[n] = n + 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    unsigned wrong = 0;

    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    for (unsigned n = 0; n < sizeof data / sizeof *data; n += STEP)
        wrong += data[n] != n + 1;
    printf("%u MB: %u wrong\n", (unsigned)(sizeof data / MB), wrong);
    return 0;
}
