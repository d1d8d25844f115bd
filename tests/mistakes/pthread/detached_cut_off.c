// main returns while a detached thread still works; another one waits for work and may be cut off.
// cc: -O1 -g -pthread
// run: -n 3
// expect-exit: 0
// expect-stderr: main returned while a detached thread still ran: work \(detached_cut_off\.c:23\); it is cut off
// expect-stderr: hint: let main wait until it is done \(a semaphore, a condition\), or end main by pthread_exit

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t done, more;

static void *serve(void *nothing)
{
    sem_post(&done);
    sem_wait(&more);
    return nothing;
}

static void *work(void *nothing)
{
    for (int part = 0; part < 10; part++)
        usleep(1000);
    puts("done");
    sem_post(&done);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    sem_init(&more, 0, 0);
    pthread_create(&thread, NULL, serve, NULL);
    pthread_detach(thread);
    sem_wait(&done);
    usleep(100);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
#ifdef MENDED
    sem_wait(&done);
    usleep(1000);
#endif
    return 0;
}
