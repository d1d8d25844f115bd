// No thread calls sem_post; main has ended by pthread_exit.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 75
// expect-stderr: semaphore-not-posted: thread 1 waits in sem_wait for `full`(?s:.*)hint: somebody must call sem_post for each sem_wait
// expect-stderr: the main thread \(core 00\) waits for thread 1: pthread_exit, at main

#include <pthread.h>
#include <semaphore.h>
static sem_t full;
static void *work(void *x)
{
    sem_wait(&full);
    return x;
}
int main(void)
{
    pthread_t thread;
    sem_init(&full, 0, 0);
    pthread_create(&thread, 0, work, 0);
#ifdef MENDED
    sem_post(&full);
#endif
    pthread_exit(0);
}
