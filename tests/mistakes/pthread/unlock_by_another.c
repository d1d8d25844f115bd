// A thread unlocks a mutex that another thread holds.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 0
// expect-stderr: pthread_mutex_unlock failed at work \(unlock_by_another\.c:18\): the thread does not hold the mutex; the program did not look at the error that it returned
// expect-stderr: hint: the thread that locks a mutex unlocks it, once

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *nothing)
{
#ifdef MENDED
    pthread_mutex_lock(&mutex);
#endif
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    pthread_t thread;
#ifdef MENDED
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
#else
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
#endif
    return 0;
}
