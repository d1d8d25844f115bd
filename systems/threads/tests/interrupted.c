// Signals without a pause do not end a wait: who joins waits until the other
// thread has ended. What a handler writes while its thread waits is seen. The
// mask that a thread gets is the one that it has asked for. Who is cancelled
// sees what the other one wrote before.
// cc: -O2 -pthread
// run: -n 3 --tag none
// also: -n 1
// expect-stdout:
// joined: 0, 42
// handled while it waited: 1
// blocked: 1 1 0
// cleaned up: 1 1
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define SIGNALS 100

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int handled, error;
static void *result;

static void on_signal(int number)
{
    (void)number;
    handled = 1;
}

static void *sleeper(void *argument)
{
    usleep(50000);
    return argument;
}

static void *joiner(void *argument)
{
    error = pthread_join(*(pthread_t *)argument, &result);
    return NULL;
}

static void *locker(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void join_under_fire(void)
{
    static pthread_t sleeps, joins;

    pthread_create(&sleeps, NULL, sleeper, (void *)42);
    pthread_create(&joins, NULL, joiner, &sleeps);
    usleep(5000);
    for (int n = 0; n < SIGNALS; n++)
        pthread_kill(joins, SIGUSR1);
    pthread_join(joins, NULL);
    printf("joined: %d, %d\n", error, (int)result);
}

static void handler_of_one_that_waits(void)
{
    pthread_t locks;

    pthread_mutex_lock(&lock);
    pthread_create(&locks, NULL, locker, NULL);
    usleep(5000);
    handled = 0;
    pthread_kill(locks, SIGUSR1);
    usleep(5000);
    printf("handled while it waited: %d\n", handled);
    pthread_mutex_unlock(&lock);
    pthread_join(locks, NULL);
}

static void masks(void)
{
    sigset_t set, before;

    sigemptyset(&set);
    sigaddset(&set, SIGSEGV); /* the layer's own */
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, &before);
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    printf("blocked: %d %d %d\n", sigismember(&before, SIGSEGV),
           sigismember(&before, SIGUSR2), sigismember(&set, SIGSEGV));
}

static int cleaned, begun; /* on one page: a copy of both is there */

static void clean_up(void *argument)
{
    (void)argument;
    cleaned = 1;
}

static void *waiter(void *argument)
{
    pthread_cleanup_push(clean_up, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    begun++;
    pthread_mutex_lock(&lock);
    pthread_cleanup_pop(0);
    return argument;
}

/* The second one finds its copy as the first one has left it. */
static int cancel_one(void)
{
    pthread_t waits;

    pthread_create(&waits, NULL, waiter, NULL);
    usleep(5000);
    cleaned = 0;
    pthread_cancel(waits);
    pthread_join(waits, NULL);
    return cleaned;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigaction(SIGUSR1, &action, NULL);
    join_under_fire();
    handler_of_one_that_waits();
    masks();
    pthread_mutex_lock(&lock);
    int first = cancel_one();
    printf("cleaned up: %d %d\n", first, cancel_one());
    return 0;
}
