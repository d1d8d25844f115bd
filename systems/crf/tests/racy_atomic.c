// A plain write and an atomic read by two cores with nothing between them are a
// race: what was written before need not be seen. With -DMENDED there is none.
// cc: -O1 -pthread
// run: -n 4 --tag none --check races
// also-slow: --threads-model lazy
// expect-match: ^seen [01]$
// expect-stderr: check: 2 findings, 2 of them races
// expect-stderr: race: core \d read atomically in `flag`, and core \d wrote 0x1: nothing orders them
// expect-stderr: race: core \d read in `value`, and core \d wrote 0x1: nothing orders them
// expect-stderr: written +core \d\d in write_it \(racy_atomic.c:\d+\)
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static volatile int flag;
static int value;

static void *write_it(void *argument)
{
    pthread_barrier_wait(&barrier);
    value = 1;
#ifdef MENDED
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
#else
    flag = 1;
#endif
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(void)
{
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, write_it, NULL);
    (void)__atomic_load_n(&flag, __ATOMIC_ACQUIRE);
    pthread_barrier_wait(&barrier);
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        ;
    printf("seen %d\n", value);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return 0;
}
