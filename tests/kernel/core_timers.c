// Timers that programs make (timer_create), by signal and by thread; counters of eventfd; a signal
// with a value, taken by a thread that waits for it.
// cc: -O1 -pthread=core
// run: -n 1 --tag none
// also-slow: --kernel l4
// expect-stdout:
// 5 signals, each with the timer's value
// 5 calls in a thread of their own
// poll: 1, the counter: 5, then as a semaphore: 1 1, then: Resource temporarily unavailable
// a thread waited for SIGUSR2 and got 42
// 10 ms at 50 us: 1 signal, 200 expirations
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static volatile int signals, wrong, calls;
static const struct itimerspec each_ms = {{0, 1000000}, {0, 1000000}};

static void tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    signals++;
    wrong += info->si_code != SI_TIMER || info->si_value.sival_int != 77;
}

static void call(union sigval value)
{
    calls += value.sival_int;
}

static void timers(void)
{
    struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO};
    struct sigevent by_signal = {.sigev_notify = SIGEV_SIGNAL,
                                 .sigev_signo = SIGUSR1};
    struct sigevent by_thread = {.sigev_notify = SIGEV_THREAD,
                                 .sigev_notify_function = call};
    timer_t timer;

    by_signal.sigev_value.sival_int = 77;
    by_thread.sigev_value.sival_int = 1;
    sigaction(SIGUSR1, &action, 0);
    timer_create(CLOCK_MONOTONIC, &by_signal, &timer);
    timer_settime(timer, 0, &each_ms, 0);
    while (signals < 5) {
    }
    timer_delete(timer);
    printf("%d signals, %s\n", signals,
           wrong ? "wrong ones" : "each with the timer's value");
    timer_create(CLOCK_REALTIME, &by_thread, &timer);
    timer_settime(timer, 0, &each_ms, 0);
    while (calls < 5)
        usleep(100);
    timer_delete(timer);
    printf("%d calls in a thread of their own\n", calls);
}

static void *add_5(void *descriptor)
{
    uint64_t value = 5;

    usleep(1000);
    write(*(int *)descriptor, &value, sizeof(value));
    return 0;
}

static void events(void)
{
    int plain = eventfd(0, 0),
        semaphore = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    struct pollfd wanted = {.fd = plain, .events = POLLIN};
    uint64_t value, one[2];
    pthread_t thread;

    pthread_create(&thread, 0, add_5, &plain);
    printf("poll: %d, ", poll(&wanted, 1, 1000));
    read(plain, &value, sizeof(value));
    pthread_join(thread, 0);
    read(semaphore, &one[0], sizeof(one[0]));
    read(semaphore, &one[1], sizeof(one[1]));
    printf("the counter: %d, then as a semaphore: %d %d, then: ", (int)value,
           (int)one[0], (int)one[1]);
    printf("%s\n", read(semaphore, &value, sizeof(value)) < 0 ? strerror(errno)
                                                              : "nothing");
}

static void *wait_for_signal(void *unused)
{
    sigset_t set;
    siginfo_t info;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    if (sigwaitinfo(&set, &info) == SIGUSR2)
        printf("a thread waited for SIGUSR2 and got %d\n",
               info.si_value.sival_int);
    return unused;
}

static void queued(void)
{
    union sigval value = {.sival_int = 42};
    pthread_t thread;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, wait_for_signal, 0);
    usleep(1000);
    sigqueue(getpid(), SIGUSR2, value);
    pthread_join(thread, 0);
}

static volatile int handled, missed;
static timer_t often;

static void count(int number)
{
    (void)number;
    handled++;
    missed += timer_getoverrun(often);
}

/* A signal that is blocked stands for all expirations until it is handled. */
static void overruns(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGUSR2};
    struct itimerspec fast = {{0, 50000}, {0, 50000}};
    sigset_t set;

    signal(SIGUSR2, count);
    timer_create(CLOCK_MONOTONIC, &event, &often);
    timer_settime(often, 0, &fast, 0);
    usleep(10000);
    timer_delete(often);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
    printf("10 ms at 50 us: %d signal, ", handled);
    handled = missed = 0;
    timer_create(CLOCK_MONOTONIC, &event, &often);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    timer_settime(often, 0, &fast, 0);
    usleep(10000);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
    printf("%d expirations\n", (missed + 50) / 100 * 100);
    timer_delete(often);
}

int main(void)
{
    timers();
    events();
    queued();
    overruns();
    return 0;
}
