// What locks, barriers, conditions and joins order is no race, though two
// threads share a core and memory is used again.
// cc: -O2 -pthread
// run: -n 2 --tag none --check races
// also: -n 3
// also-slow: --threads-model lazy
// expect-stdout:
// 800 800 4
// expect-stderr: check: no findings
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int counted, passed, slots[THREADS];

static void *work(void *argument)
{
    int self = (int)(size_t)argument;
    int *own = malloc(sizeof *own);

    *own = 0;
    for (int n = 0; n < ROUNDS; n++) {
        pthread_mutex_lock(&lock);
        counted++;
        ++*own;
        pthread_mutex_unlock(&lock);
    }
    slots[self] = 1;
    pthread_barrier_wait(&barrier);
    slots[(self + 1) % THREADS]++;
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&lock);
    while (passed % THREADS != self)
        pthread_cond_wait(&turn, &lock);
    passed++;
    pthread_cond_broadcast(&turn);
    pthread_mutex_unlock(&lock);
    return own;
}

int main(void)
{
    pthread_t thread[THREADS];
    int all = 0, full = 0;

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (size_t n = 0; n < THREADS; n++)
        pthread_create(&thread[n], NULL, work, (void *)n);
    for (int n = 0; n < THREADS; n++) {
        void *own;

        pthread_join(thread[n], &own);
        all += *(int *)own;
        free(own);
    }
    for (int n = 0; n < THREADS; n++)
        full += slots[n] == 2;
    printf("%d %d %d\n", counted, all, full);
    return passed != THREADS;
}
