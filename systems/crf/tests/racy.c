// Races of a program's threads are reported, with both lines. What each has written
// of its own in the same line of a cache is none.
// cc: -O2 -pthread
// run: -n 2 --tag none --check races
// also-slow: --threads-model lazy
// expect-stdout:
// 2 threads
// expect-stderr: check: [2-4] findings, [2-4] of them races
// expect-stderr: double-write: core \d wrote 0x\d in `owner` and core \d wrote 0x\d: nothing orders them
// expect-stderr: (race|double-write): core \d (read|wrote 0x1) in `count`,? and core \d wrote 0x1: nothing orders them
// expect-stderr: written +core \d\d in work \(racy.c:2\d\)
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static volatile int owner, own[2], count;

static void *work(void *argument)
{
    int number = *(int *)argument;

    pthread_barrier_wait(&barrier);
    owner = number + 1;
    own[number] = owner;
    count++;
    for (volatile int n = 0; n < 200000; n++) /* neither lets go too early */
        ;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    static int numbers[] = {0, 1};
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, &numbers[1]);
    work(&numbers[0]);
    pthread_join(thread, NULL);
    printf("%d threads\n", own[0] == 1 && own[1] == 2 ? 2 : own[0] + own[1]);
    return 0;
}
