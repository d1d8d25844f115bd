// A race of what threads write last, before they end: the variable, and the line.
// cc: -g -pthread
// run: -n 2 --tag none --check races
// also: -n 3
// also: --threads-model lazy
// expect-match: counter \d+ of 4000
// expect-stderr: check: [1-9] findings?, [1-9] of them races
// expect-stderr: `counter`,? and (core \d|its thread \d) (read|wrote 0x[0-9a-f]+): nothing orders them
// expect-stderr: written +core \d\d in work \(racy_end.c:\d+\)
#include <pthread.h>
#include <stdio.h>

#define THREADS 4

static int counter;

static void *work(void *unused)
{
    for (int n = 0; n < 1000; n++)
        counter++;
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];

    for (int n = 0; n < THREADS; n++)
        pthread_create(&thread[n], NULL, work, NULL);
    for (int n = 0; n < THREADS; n++)
        pthread_join(thread[n], NULL);
    printf("counter %d of 4000\n", counter);
    return 0;
}
