// Signals for one thread: it waits for them, or takes them where it sleeps.
// cc: -O2 -pthread
// run: -n 3 --tag none
// also-slow: --threads-model strong
// expect-stdout:
// waited for 10, handled 12 by thread 1, no such signal 22, no such thread 3
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile int waited, handled, by;
static _Thread_local int number;

static void on_signal(int signal)
{
    handled = signal;
    by = number;
}

static void *wait_for_one(void *argument)
{
    sigset_t set;
    int signal;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (sigwait(&set, &signal) == 0)
        waited = signal;
    return argument;
}

static void *sleep_until_handled(void *argument)
{
    number = 1;
    while (!handled)
        usleep(100);
    return argument;
}

int main(void)
{
    pthread_t waits, sleeps;
    int no_signal, no_thread;
    sigset_t awaited;

    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &awaited, NULL); /* it may come early */
    signal(SIGUSR2, on_signal);
    pthread_create(&waits, NULL, wait_for_one, NULL);
    pthread_create(&sleeps, NULL, sleep_until_handled, NULL);
    usleep(500);
    no_signal = pthread_kill(sleeps, 99);
    pthread_kill(sleeps, SIGUSR2);
    pthread_kill(waits, SIGUSR1);
    pthread_join(waits, NULL);
    pthread_join(sleeps, NULL);
    no_thread = pthread_kill(sleeps, 0);
    printf("waited for %d, handled %d by thread %d, no such signal %d, "
           "no such thread %d\n",
           waited, handled, by, no_signal, no_thread);
    return 0;
}
