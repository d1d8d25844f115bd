// main joins a thread that joins main.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 75
// expect-stderr: wait-cycle: 2 threads wait for each other(?s:.*)hint: one of them must do its part before it waits for the next
// expect-stderr: the main thread \(core 00\) waits for thread 1: pthread_join, at main .*other.c:23
// expect-stderr: thread 1 \(core 01\) waits for the main thread: pthread_join, at work .*other.c:14

#include <pthread.h>
static pthread_t first;
static void *work(void *x)
{
#ifndef MENDED
    pthread_join(first, 0);
#endif
    return x;
}
int main(void)
{
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
