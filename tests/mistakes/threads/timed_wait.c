// No mistake: all threads sleep, and one of them has a limit.
// cc: -O1 -g -pthread
// run: -n 2

#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static void *work(void *x)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 3;
    pthread_mutex_lock(&lock);
    int error = pthread_cond_timedwait(&never, &lock, &end);
    pthread_mutex_unlock(&lock);
    return error == ETIMEDOUT ? 0 : x;
}
int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, &thread);
    pthread_join(thread, &result);
    return result != 0;
}
