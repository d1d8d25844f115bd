// The barrier's count is one larger than the number of threads that call it.
// cc: -O1 -g -pthread
// run: -n 3
// expect-exit: 75
// expect-stderr: barrier-missing-members: the barrier `all` is for 4 threads, and 3 have come(?s:.*)hint: as many threads must come as the barrier is for
// expect-stderr: thread 2 \(core 02\) waits: pthread_barrier_wait of `all`, at work .*short.c:17

#include <pthread.h>
static pthread_barrier_t all;
#ifdef MENDED
enum { COUNT = 3 };
#else
enum { COUNT = 4 };
#endif
static void *work(void *x)
{
    pthread_barrier_wait(&all);
    return x;
}
int main(void)
{
    pthread_t threads[3];
    pthread_barrier_init(&all, 0, COUNT);
    for (int n = 0; n < 3; n++)
        pthread_create(&threads[n], 0, work, 0);
    for (int n = 0; n < 3; n++)
        pthread_join(threads[n], 0);
    return 0;
}
