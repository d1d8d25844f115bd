// What POSIX asks for beyond locks that are taken and given back: what
// synchronises memory, what cancellation leaves, which errors are returned.
// cc: -O2 -pthread
// run: -n 4 --tag none
// expect-stdout:
// seen without a lock 1, from one that waits 1
// cancelled in once: again 1, before its handler: cleaned 1
// detached twice 22 joined 22, late mutex 22 semaphore 22 lock 22
// names 17 2 1 36, seen 3, closed 22
// slept 8, woken early 0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int waits, told, inside, cleaned, times, slept, early;

static pthread_t start(void *(*what)(void *), void *argument)
{
    pthread_t thread;

    pthread_create(&thread, NULL, what, argument);
    return thread;
}

/* pthread_cond_signal publishes what was written before it, lock or not. */
static void *wait_for_signal(void *seen)
{
    pthread_mutex_lock(&lock);
    waits = 1;
    pthread_cond_wait(&condition, &lock);
    *(int *)seen = told;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Who waits has published, so that others see how far it came. */
static void *wait_for_lock(void *unused)
{
    inside = 1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void memory(void)
{
    int seen = 0, came;
    pthread_t waiter = start(wait_for_signal, &seen);

    while (!waits)
        usleep(100);
    pthread_mutex_lock(&lock); /* free as soon as the waiter waits */
    pthread_mutex_unlock(&lock);
    told = 1;
    pthread_cond_signal(&condition);
    pthread_join(waiter, NULL);
    pthread_mutex_lock(&lock);
    waiter = start(wait_for_lock, NULL);
    for (int n = 0; n < 100 && !inside; n++)
        usleep(100);
    came = inside;
    pthread_mutex_unlock(&lock);
    pthread_join(waiter, NULL);
    printf("seen without a lock %d, from one that waits %d\n", seen, came);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void sleeps(void)
{
    inside = 2;
    sleep(10);
}

static void does(void)
{
    times++;
}

static void *once_in_vain(void *unused)
{
    pthread_once(&once, sleeps);
    return unused;
}

static void cleans(void *unused)
{
    (void)unused;
    cleaned = 1;
}

/* Cancelled before it runs: pthread_setcanceltype is no point for that. */
static void *with_handler(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    pthread_cleanup_push(cleans, unused);
    sleep(10);
    pthread_cleanup_pop(0);
    return unused;
}

static void cancellation(void)
{
    pthread_t thread = start(once_in_vain, NULL);

    while (inside != 2)
        usleep(100);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_once(&once, does);
    thread = start(with_handler, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    printf("cancelled in once: again %d, before its handler: cleaned %d\n",
           times, cleaned);
}

static void *short_sleep(void *unused)
{
    usleep(2000);
    return unused;
}

static void errors(void)
{
    const struct timespec wrong = {.tv_nsec = 1000000000};
    static pthread_rwlock_t taken = PTHREAD_RWLOCK_INITIALIZER;
    pthread_t thread = start(short_sleep, NULL);
    int twice, joined, late;
    sem_t none;

    pthread_detach(thread);
    twice = pthread_detach(thread);
    joined = pthread_join(thread, NULL);
    sem_init(&none, 0, 0);
    late = sem_timedwait(&none, &wrong) ? errno : 0;
    pthread_mutex_lock(&lock);
    pthread_rwlock_rdlock(&taken);
    printf("detached twice %d joined %d, late mutex %d semaphore %d lock %d\n",
           twice, joined, pthread_mutex_timedlock(&lock, &wrong), late,
           pthread_rwlock_timedwrlock(&taken, &wrong));
    pthread_rwlock_unlock(&taken);
    pthread_mutex_unlock(&lock);
}

static void *post_by_name(void *unused)
{
    sem_t *named = sem_open("/gate", 0);

    sem_post(named);
    sem_close(named);
    return unused;
}

/* exclusively twice, no such name, the same place again, too long a name */
static void names(void)
{
    char name[300];
    sem_t *one = sem_open("/gate", O_CREAT, 0600, 2), *same;
    int exclusive, missing, tall, value;

    exclusive = sem_open("/gate", O_CREAT | O_EXCL, 0600, 0) ? 0 : errno;
    missing = sem_open("/other", 0) ? 0 : errno;
    same = sem_open("gate", 0);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    tall = sem_open(name, O_CREAT, 0600, 0) ? 0 : errno;
    pthread_join(start(post_by_name, NULL), NULL);
    sem_getvalue(one, &value);
    sem_unlink("/gate");
    sem_close(same);
    sem_close(one);
    printf("names %d %d %d %d, seen %d, closed %d\n", exclusive, missing,
           one == same, tall, value, sem_close(one) ? errno : 0);
}

/* Two threads of one core sleep side by side, and not for less. */
static void *sleep_well(void *unused)
{
    struct timespec begin, end;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    usleep(20000);
    clock_gettime(CLOCK_MONOTONIC, &end);
    pthread_mutex_lock(&lock);
    early += (end.tv_sec - begin.tv_sec) * 1000000000ll + end.tv_nsec -
                 begin.tv_nsec <
             20000000;
    slept++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void sleeping(void)
{
    pthread_t threads[8];

    for (int n = 0; n < 8; n++)
        threads[n] = start(sleep_well, NULL);
    for (int n = 0; n < 8; n++)
        pthread_join(threads[n], NULL);
    printf("slept %d, woken early %d\n", slept, early);
}

int main(void)
{
    memory();
    cancellation();
    errors();
    names();
    sleeping();
    return 0;
}
