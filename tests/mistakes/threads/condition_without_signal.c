// A thread changes the state without a signal.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 75
// expect-stderr: condition-without-signal: thread 1 waits in pthread_cond_wait for `ready`(?s:.*)hint: signal it after each change, and wait only while the state is not there yet: a signal that comes before the wait is lost
// expect-stderr: thread 1 \(core 01\) waits: pthread_cond_wait of `ready`, at waiter .*signal.c:16

#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;
static void *waiter(void *x)
{
    pthread_mutex_lock(&lock);
    while (!flag)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return x;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    for (volatile int n = 0; n < 500000; n++)
        ;
    pthread_mutex_lock(&lock);
    flag = 1;
#ifdef MENDED
    pthread_cond_signal(&ready);
#endif
    pthread_mutex_unlock(&lock);
    return pthread_join(thread, 0);
}
