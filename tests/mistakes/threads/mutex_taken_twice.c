// A function locks a mutex that its caller holds.
// cc: -O1 -g -fno-inline -pthread
// run: -n 1
// expect-exit: 75
// expect-stderr: lock-taken-twice: the main thread waits in pthread_mutex_lock for `lock`, which it holds itself(?s:.*)hint: unlock it first, or make it recursive
// expect-stderr: the main thread \(core 00\) waits for itself: pthread_mutex_lock of `lock`, at add .*twice.c:13

#include <pthread.h>
static pthread_mutex_t lock;
static int sum;
static void add(int n)
{
    pthread_mutex_lock(&lock);
    sum += n;
    pthread_mutex_unlock(&lock);
}
int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
#ifdef MENDED
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
#endif
    pthread_mutex_init(&lock, &kind);
    pthread_mutex_lock(&lock);
    add(1);
    pthread_mutex_unlock(&lock);
    return sum != 1;
}
