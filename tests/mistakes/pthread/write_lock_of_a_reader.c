// A thread that holds a read lock asks for the write lock.
// cc: -O1 -g -pthread
// run: -n 1
// expect-exit: 75
// expect-stderr: the main thread \(core 00\) waits: pthread_rwlock_wrlock of `lock`, at main \(write_lock_of_a_reader\.c:19\)
// expect-stderr: hint: unlock it before waiting for something else

#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&lock);
#ifdef MENDED
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}
