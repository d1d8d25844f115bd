// The program destroys a mutex that a thread holds.
// cc: -O1 -g -pthread
// run: -n 1
// expect-exit: 0
// expect-stderr: pthread_mutex_destroy failed at main \(destroy_locked\.c:19\): a thread holds the mutex; the program did not look at the error that it returned
// expect-stderr: hint: unlock it first

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&mutex);
#ifdef MENDED
    pthread_mutex_unlock(&mutex);
#endif
    pthread_mutex_destroy(&mutex);
    return 0;
}
