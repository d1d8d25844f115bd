// A barrier for 0 threads.
// cc: -O1 -g -pthread
// run: -n 1
// expect-exit: 0
// expect-stderr: pthread_barrier_init failed at main \(barrier_of_nobody\.c:19\): a barrier for 0 threads; the program did not look at the error that it returned
// expect-stderr: pthread_barrier_wait failed at main \(barrier_of_nobody\.c:21\): the barrier was never initialised
// expect-stderr: hint: pass the number of threads that come to the barrier

#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;

int main(void)
{
#ifdef MENDED
    pthread_barrier_init(&barrier, NULL, 1);
#else
    pthread_barrier_init(&barrier, NULL, 0);
#endif
    pthread_barrier_wait(&barrier);
    return 0;
}
