// A core that dies is reported to the others, who get an error and no hang.
// cc: -O2 -pthread
// run: -n 4 --tag none --fault "die:core=2@5ms"
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-exit: 1
// expect-stdout:
// working
// expect-stderr: thread on core 0: core 2 does not answer: it has stopped
// expect-stderr: thread on core 3: core 2 does not answer
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

/* The second one dies with the lock, one waits for that, and two at a barrier. */
static void *work(void *argument)
{
    int number = *(int *)argument;

    pthread_barrier_wait(&barrier);
    if (number == 2) {
        pthread_mutex_lock(&lock);
        usleep(100000);
    }
    if (number == 3) {
        usleep(1000);
        pthread_mutex_lock(&lock);
    }
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    static int numbers[] = {0, 1, 2, 3};
    pthread_t others[4];

    puts("working");
    pthread_barrier_init(&barrier, NULL, 4);
    for (int n = 1; n < 4; n++)
        pthread_create(&others[n], NULL, work, &numbers[n]);
    work(&numbers[0]);
    puts("all came");
    return 0;
}
