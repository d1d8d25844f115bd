// A program of threads waits in pause for an alarm and for a timer: handlers
// that the kernel calls by itself. A thread's name is kept.
// cc: -O1 -pthread
// run: -n 2 --tag none
// expect-stdout:
// alarm 1, timer 2, thread 7, name boss
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
    (void)number;
    handled++;
}

static void *same(void *value)
{
    return value;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGUSR1};
    struct itimerspec soon = {.it_value = {.tv_nsec = 2000000}};
    char name[16];
    pthread_t thread;
    timer_t timer;
    void *result;
    int first;

    signal(SIGALRM, on_signal);
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, same, (void *)7);
    pthread_join(thread, &result);
    alarm(1);
    pause();
    first = handled;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    pause();
    pthread_setname_np(pthread_self(), "boss");
    pthread_getname_np(pthread_self(), name, sizeof name);
    printf("alarm %d, timer %d, thread %d, name %s\n", first, handled,
           (int)(intptr_t)result, name);
    return 0;
}
