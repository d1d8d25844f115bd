// The program calls pthread_cond_wait without holding the mutex.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 0
// expect-stderr: pthread_cond_wait failed at main \(wait_without_mutex\.c:33\): the thread does not hold the mutex
// expect-stderr: hint: lock the mutex before the wait; a signal may be missed without it

#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *nothing)
{
    usleep(2000);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef MENDED
    pthread_mutex_lock(&mutex);
#endif
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
#ifdef MENDED
    pthread_mutex_unlock(&mutex);
#endif
    pthread_join(thread, NULL);
    return 0;
}
