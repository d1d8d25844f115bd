// More threads than cores: they take turns at all that waits, are cancelled
// where they wait, and get stacks as large as they ask for.
// cc: -O2 -pthread
// run: -n 3 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-stdout:
// barrier 130 local 13 tries 13 spun 26
// cancelled 3 cleaned 2
// threads.h 26
// large 500 too large 11
// expect-stderr: no stack for another thread
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

#define THREADS 13

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static int counts[THREADS], sum, locals, tries, cleaned;
static atomic_int turn, spun;
static _Thread_local int local;

static void wait_for_turn(int number)
{
    while (atomic_load(&turn) != number)
        ;
    spun += 2;
    atomic_store(&turn, number + 1);
}

static void *work(void *argument)
{
    int number = (int)(long)argument;

    for (int round = 0; round < 10; round++) {
        counts[number]++;
        local++;
        pthread_barrier_wait(&barrier);
        if (counts[(number + 5) % THREADS] != round + 1)
            puts("too early");
        pthread_barrier_wait(&barrier);
    }
    while (pthread_mutex_trylock(&lock))
        tries += 0;
    sum += counts[number];
    locals += local == 10;
    tries++;
    pthread_mutex_unlock(&lock);
    wait_for_turn(number);
    return NULL;
}

static void clean(void *argument)
{
    cleaned++;
    pthread_mutex_unlock(argument);
}

static void *wait_for_ever(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(clean, &lock);
    if (argument)
        pthread_cond_wait(&never, &lock);
    pthread_mutex_unlock(&lock);
    sem_wait(&none);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *join_for_ever(void *thread)
{
    pthread_join(*(pthread_t *)thread, NULL);
    return NULL;
}

/* Who waited for another thread's end leaves that to the next one. */
static void cancel(void)
{
    pthread_t threads[2], joiner;
    void *result;
    int cancelled = 0;

    for (int n = 0; n < 2; n++)
        pthread_create(&threads[n], NULL, wait_for_ever, n ? &lock : NULL);
    pthread_create(&joiner, NULL, join_for_ever, &threads[0]);
    sched_yield();
    pthread_cancel(joiner);
    pthread_join(joiner, &result);
    cancelled += result == PTHREAD_CANCELED;
    for (int n = 0; n < 2; n++) {
        pthread_cancel(threads[n]);
        pthread_join(threads[n], &result);
        cancelled += result == PTHREAD_CANCELED;
    }
    printf("cancelled %d cleaned %d\n", cancelled, cleaned);
}

static int twice(void *argument)
{
    return 2 * (int)(long)argument;
}

static void *fill(void *argument)
{
    char large[500000];

    memset(large, 1, sizeof large);
    for (unsigned n = 0; n < sizeof large; n += 1000)
        *(int *)argument += large[n];
    return NULL;
}

static void with_stack(size_t bytes, int *result, int *error)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    *error = pthread_create(&thread, &attributes, fill, result);
    if (!*error)
        pthread_join(thread, NULL);
}

int main(void)
{
    pthread_t threads[THREADS];
    thrd_t thread;
    int result, large = 0, error, none_left;

    pthread_barrier_init(&barrier, NULL, THREADS);
    sem_init(&none, 0, 0);
    for (long n = 0; n < THREADS; n++)
        pthread_create(&threads[n], NULL, work, (void *)n);
    for (int n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    printf("barrier %d local %d tries %d spun %d\n", sum, locals, tries, spun);
    cancel();
    thrd_create(&thread, twice, (void *)13);
    thrd_join(thread, &result);
    printf("threads.h %d\n", result);
    with_stack(1 << 20, &large, &error);
    with_stack(255 << 20, &large, &none_left);
    printf("large %d too large %d\n", large + error, none_left);
    return 0;
}
