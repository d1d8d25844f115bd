// All that threads need, on four cores; nothing is stale anywhere.
// cc: -O2 -pthread
// run: -n 4 --tag none --check coherence
// also: --threads-model lazy
// also: --threads-model strong
// also-slow: --threads-model uncached
// expect-stdout:
// mutex 60 recursive 0 16 error 35 1 spin 30 try 16
// barrier 1 of 3 serial, bytes of shared lines 2940
// condition 3 timed 110 semaphore 6 once 1
// read-write 30 keys 3 destroyed 3 local 3
// heap 0 stack 6
// created again 3 joined 3
// expect-stderr: no findings
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checked;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t items, done;
static _Thread_local int local = 1;
static int counter = 30, spun, went, arrived, onces, read_sum, serial;
static int destroyed, locals, seen_keys, heap_errors, again;
static unsigned char bytes[THREADS * 7];
static char *texts[THREADS];

static void routine(void)
{
    onces++;
}

static void destructor(void *value)
{
    pthread_mutex_lock(&lock);
    destroyed += *(int *)value > 0;
    pthread_mutex_unlock(&lock);
    free(value);
}

static void own_values(int number)
{
    int *mine = malloc(sizeof *mine);

    *mine = number + 1;
    pthread_setspecific(key, mine);
    local += number;
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&lock);
    seen_keys += pthread_getspecific(key) == mine && *mine == number + 1;
    locals += local == 1 + number;
    pthread_mutex_unlock(&lock);
}

/* What one wrote on its heap the next one reads, changes and frees. */
static void heap(int number)
{
    texts[number] = malloc(100);
    snprintf(texts[number], 100, "text %d", number);
    pthread_barrier_wait(&barrier);
    char *next = texts[(number + 1) % THREADS];

    heap_errors += next[5] != '0' + (number + 1) % THREADS;
    next = realloc(next, 5000);
    heap_errors += strncmp(next, "text ", 5) != 0;
    free(next);
}

static void *work(void *argument)
{
    int number = *(int *)argument;

    for (int n = 0; n < 10; n++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
        pthread_spin_lock(&spin);
        spun++;
        pthread_spin_unlock(&spin);
    }
    for (int n = 0; n < 980; n++)
        bytes[n % 7 * THREADS + number]++;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    pthread_mutex_lock(&lock);
    arrived++;
    pthread_cond_signal(&condition);
    while (!went)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    pthread_once(&once, routine);
    sem_wait(&items);
    sem_wait(&items);
    sem_post(&done);
    for (int n = 0; n < 5; n++) {
        pthread_rwlock_wrlock(&readers);
        read_sum++;
        pthread_rwlock_unlock(&readers);
        pthread_rwlock_rdlock(&readers);
        if (read_sum > 100)
            read_sum = 1000;
        pthread_rwlock_unlock(&readers);
    }
    own_values(number);
    heap(number);
    *(int *)argument = number + 1; /* on main's stack */
    return argument;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&lock);
    again += local == 1; /* not the first thread's of this core */
    pthread_mutex_unlock(&lock);
    pthread_exit((char *)argument + 1);
}

static void prepare(void)
{
    pthread_mutexattr_t kind;

    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &kind);
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_spin_init(&spin, 0);
    pthread_key_create(&key, destructor);
    sem_init(&items, 0, 2);
    sem_init(&done, 0, 0);
}

static int late(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 100000;
    return pthread_cond_timedwait(&condition, &lock, &time);
}

static void *try_it(void *argument)
{
    (void)argument;
    return (void *)(intptr_t)pthread_mutex_trylock(&lock);
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS], joined = 0, total = 0, sum = 0;
    int depth, twice, other, timed;
    void *result;

    prepare();
    for (int n = 0; n < THREADS; n++) {
        numbers[n] = n;
        pthread_create(&threads[n], NULL, work, &numbers[n]);
    }
    pthread_mutex_lock(&lock);
    while (arrived < THREADS)
        pthread_cond_wait(&condition, &lock);
    went = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&lock);
    for (int n = 0; n < 4; n++)
        sem_post(&items);
    for (int n = 0; n < THREADS; n++)
        sem_wait(&done);
    for (int n = 0; n < THREADS; n++) {
        pthread_join(threads[n], &result);
        total += *(int *)result;
    }
    for (int n = 0; n < THREADS * 7; n++)
        sum += bytes[n];
    pthread_mutex_lock(&lock);
    timed = late();
    pthread_create(&threads[0], NULL, try_it, NULL);
    pthread_join(threads[0], &result);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&recursive);
    depth = pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    twice = pthread_mutex_destroy(&recursive);
    pthread_mutex_lock(&checked);
    other = pthread_mutex_lock(&checked);
    printf("mutex %d recursive %d %d error %d %d spin %d try %d\n", counter,
           depth, twice, other, pthread_mutex_unlock(&recursive) == 0, spun,
           (int)(intptr_t)result);
    printf("barrier %d of %d serial, bytes of shared lines %d\n", serial,
           THREADS, sum);
    printf("condition %d timed %d semaphore %d once %d\n", arrived, timed,
           2 * THREADS, onces);
    printf("read-write %d keys %d destroyed %d local %d\n", 2 * read_sum,
           seen_keys, destroyed, locals);
    printf("heap %d stack %d\n", heap_errors, total);
    for (int n = 0; n < THREADS; n++)
        pthread_create(&threads[n], NULL, second, &numbers[n]);
    for (int n = 0; n < THREADS; n++) {
        pthread_join(threads[n], &result);
        joined += result == (char *)&numbers[n] + 1;
    }
    printf("created again %d joined %d\n", again, joined);
    return 0;
}
