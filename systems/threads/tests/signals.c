// Signals to the process: a thread that does not block them has them while it
// computes; one that waits at a barrier handles one and waits on; masks are
// each thread's; a cancellation that may be at any time.
// cc: -O2 -pthread
// run: -n 3 --tag none
// also-slow: --threads-model lazy
// expect-stdout:
// sent 20, handled 20 by thread 1, same process 1
// at a barrier: handled 1, waited on 1
// inherited 1, pending until unblocked 0 1
// woken from sleep 1, suspended 1
// cancelled while computing 1, while it waits for a lock 1
// read lock after 1 ms 110, write lock after 1 ms 110, readers go on 0
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Thread_local int number;
static sem_t taken;
static volatile int handled, by;
static int done; /* by atomic operations */
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void on_signal(int signal)
{
    (void)signal;
    handled++;
    by = number;
    sem_post(&taken);
}

static void change_mask(int how, int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(how, &set, NULL);
}

static void *compute(void *argument)
{
    static volatile int work;

    number = 1;
    change_mask(SIG_UNBLOCK, SIGUSR1);
    sem_post(&taken);
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
        for (int n = 0; n < 100; n++)
            work++;
    return argument;
}

static void process(void)
{
    pthread_t computes;
    int sent = 0;

    change_mask(SIG_BLOCK, SIGUSR1);
    pthread_create(&computes, NULL, compute, NULL);
    sem_wait(&taken);
    for (; sent < 20; sent++) {
        kill(getpid(), SIGUSR1);
        sem_wait(&taken);
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(computes, NULL);
    printf("sent %d, handled %d by thread %d, same process %d\n", sent, handled,
           by, getpid() > 0);
}

static void *wait_there(void *argument)
{
    change_mask(SIG_UNBLOCK, SIGUSR1);
    pthread_barrier_wait(&barrier);
    return argument;
}

static void at_barrier(void)
{
    pthread_t waits;
    int before;

    handled = 0;
    pthread_create(&waits, NULL, wait_there, NULL);
    usleep(300);
    pthread_kill(waits, SIGUSR1);
    sem_wait(&taken);
    before = handled;
    pthread_barrier_wait(&barrier);
    pthread_join(waits, NULL);
    printf("at a barrier: handled %d, waited on %d\n", before, handled);
}

static void *look_at_mask(void *argument)
{
    int *found = argument;
    sigset_t set;

    pthread_sigmask(SIG_BLOCK, NULL, &set);
    found[0] = sigismember(&set, SIGUSR1);
    handled = 0;
    kill(getpid(), SIGUSR1);
    sched_yield();
    found[1] = handled;
    change_mask(SIG_UNBLOCK, SIGUSR1);
    found[2] = handled;
    return argument;
}

static void masks(void)
{
    pthread_t thread;
    int found[3];

    pthread_create(&thread, NULL, look_at_mask, found);
    pthread_join(thread, NULL);
    sem_wait(&taken);
    printf("inherited %d, pending until unblocked %d %d\n", found[0], found[1],
           found[2]);
}

static void *sleep_long(void *argument)
{
    const struct timespec hour = {3600, 0};
    int *woken = argument;
    sigset_t none;

    change_mask(SIG_UNBLOCK, SIGUSR1);
    woken[0] = nanosleep(&hour, NULL) == -1 && errno == EINTR;
    change_mask(SIG_BLOCK, SIGUSR1);
    sem_post(&taken);
    sigemptyset(&none);
    woken[1] = sigsuspend(&none) == -1 && errno == EINTR;
    return argument;
}

static void sleeps(void)
{
    int woken[2];
    pthread_t thread;

    pthread_create(&thread, NULL, sleep_long, woken);
    usleep(1000);
    pthread_kill(thread, SIGUSR1);
    sem_wait(&taken);
    sem_wait(&taken);
    kill(getpid(), SIGUSR1);
    sem_wait(&taken);
    pthread_join(thread, NULL);
    printf("woken from sleep %d, suspended %d\n", woken[0], woken[1]);
}

static void *compute_for_ever(void *argument)
{
    volatile int work = 0;

    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        work++;
    return argument;
}

static void *wait_for_lock(void *argument)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_mutex_lock(&mutex);
    return argument;
}

static int cancelled(void *(*code)(void *))
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, code, NULL);
    usleep(500);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    return result == PTHREAD_CANCELED;
}

static void *read_and_write(void *argument)
{
    int *error = argument;
    struct timespec time;

    for (int write = 0; write < 2; write++) {
        clock_gettime(CLOCK_REALTIME, &time);
        time.tv_nsec += 1000000;
        time.tv_sec += time.tv_nsec / 1000000000;
        time.tv_nsec %= 1000000000;
        error[write] = write ? pthread_rwlock_timedwrlock(&lock, &time)
                             : pthread_rwlock_timedrdlock(&lock, &time);
        if (write == 0)
            pthread_barrier_wait(&barrier);
        if (write == 0)
            pthread_barrier_wait(&barrier);
    }
    error[2] = pthread_rwlock_rdlock(&lock);
    return argument;
}

static void timed(void)
{
    int error[3];
    pthread_t thread;

    pthread_rwlock_wrlock(&lock);
    pthread_create(&thread, NULL, read_and_write, error);
    pthread_barrier_wait(&barrier);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    printf("read lock after 1 ms %d, write lock after 1 ms %d, readers go on "
           "%d\n",
           error[0], error[1], error[2]);
}

int main(void)
{
    signal(SIGUSR1, on_signal);
    sem_init(&taken, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    process();
    at_barrier();
    masks();
    sleeps();
    pthread_mutex_lock(&mutex);
    printf("cancelled while computing %d, while it waits for a lock %d\n",
           cancelled(compute_for_ever), cancelled(wait_for_lock));
    timed();
    return 0;
}
