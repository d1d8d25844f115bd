// Two threads take two mutexes in different orders.
// cc: -O1 -g -pthread
// run: -n 3
// also: -n 1
// also: --threads-model strong
// expect-exit: 75
// expect-stderr: deadlock: nothing can ever change again at 200.000 ms
// expect-stderr: thread 1 .* waits for thread 2: pthread_mutex_lock of `b`, at one .*crosswise.c:21
// expect-stderr: thread 2 .* waits for thread 1: pthread_mutex_lock of `a`, at two .*crosswise.c:34
// expect-stderr: lock-cycle: 2 threads each hold a lock that the one before wants
// expect-stderr: hint: take locks in the same order everywhere

#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x)
{
    pthread_mutex_lock(&a);
    usleep(1000);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return x;
}
static void *two(void *x)
{
#ifdef MENDED
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
#else
    pthread_mutex_lock(&b);
    usleep(1000);
    pthread_mutex_lock(&a);
#endif
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return x;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, two, 0);
    pthread_join(t[0], 0);
    return pthread_join(t[1], 0);
}
