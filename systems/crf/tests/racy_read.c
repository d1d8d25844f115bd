// A read that races with another thread's write is reported, with both lines.
// Its mended twin: racy_read_mended.c.
// cc: -O2 -pthread
// run: -n 2 --tag none --check races
// also: --threads-model uncached
// expect-stdout:
// early 0
// expect-stderr: race: core 0 read in `values`.*, and core 1 wrote 0x1: nothing orders them
// expect-stderr: read +core 00 in main \(racy_read.c:4\d\)
// expect-stderr: written +core 01 in writer \(racy_read.c:2\d\)
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int values[8];

/* Late enough for the reader to be early. */
static void *writer(void *argument)
{
    pthread_barrier_wait(&barrier);
    for (volatile int turn = 0; turn < 200; turn++)
        ;
    for (int n = 0; n < 8; n++)
        values[n] = n + 1;
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(void)
{
    pthread_t thread;
    int sum = 0;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, writer, NULL);
    pthread_barrier_wait(&barrier);
#ifdef MENDED
    pthread_barrier_wait(&barrier);
#endif
    for (int n = 0; n < 8; n++)
        sum += values[n];
#ifndef MENDED
    pthread_barrier_wait(&barrier);
#endif
    pthread_join(thread, NULL);
    printf("%s %d\n", sum == 36 ? "all" : "early", sum);
    return 0;
}
