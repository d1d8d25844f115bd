// A stack that is too small is reported as that, also by a frame larger than the guard below it.
// cc: -O2 -pthread
// run: -n 2 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-exit: 76
// expect-stderr: below the stack of a thread
// expect-stderr: hint: this thread's stack has 2044 KB
#include <pthread.h>

static void *work(void *argument)
{
    volatile char large[3000000];

    large[0] = 1;
    __asm__ volatile("" : : "r"(large) : "memory");
    return (char *)argument + large[0];
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
