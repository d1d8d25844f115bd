// A thread ends while it holds the mutex.
// cc: -O1 -g -pthread
// run: -n 3
// expect-exit: 75
// expect-stderr: lock-never-released: thread [12] waits in pthread_mutex_lock for `lock`, which thread [12] holds, and has ended
// expect-stderr: hint: unlock it on every way out of the code that holds it

#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *x)
{
    pthread_mutex_lock(&lock);
#ifdef MENDED
    pthread_mutex_unlock(&lock);
#endif
    return x;
}
int main(void)
{
    pthread_t threads[2];
    for (int n = 0; n < 2; n++)
        pthread_create(&threads[n], 0, work, 0);
    for (int n = 0; n < 2; n++)
        pthread_join(threads[n], 0);
    return 0;
}
