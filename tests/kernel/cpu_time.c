// Processor time: sleeping, poll, pipes, futexes and signals do not count; turns of threads are
// told apart; timers of it stand still while the process waits.
// cc: -O1 -pthread=core
// run: -n 1 --tag none
// also-slow: --kernel l4
// expect-stdout:
// computed 25 ms, slept 30 ms: process 25, thread 25, clock 25, user 25, times 2
// poll: 0, pause: 0
// two threads of 20 and 10 ms, a third waits: 20, 10, 0; process: 30
// by pthread_getcpuclockid: 20, 10; the process's by clock_getcpuclockid: 30
// ITIMER_PROF of 10 ms: after 10 ms of processor time, 60 ms or more of all
// timers of 5 ms: the process's after 5, the thread's after 5
// a timer of a thread that sleeps: not once; left: 5 ms
// a sleep of 10 ms of processor time: 10 ms; of the thread's own: Invalid argument
// timerfd of it: Invalid argument; unknown clocks: Invalid argument, No such process
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000

static int64_t now(clockid_t clock)
{
    struct timespec t = {0};

    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int ms(int64_t nanoseconds)
{
    return (int)((nanoseconds + MS / 4) / MS);
}

static void compute(int milliseconds)
{
    int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + (int64_t)milliseconds * MS;

    while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

static void each_clock(void)
{
    struct rusage usage;
    struct tms tms;
    int64_t process, thread;
    clock_t ticks;

    compute(25 - ms(now(CLOCK_PROCESS_CPUTIME_ID)));
    usleep(30000);
    process = now(CLOCK_PROCESS_CPUTIME_ID);
    thread = now(CLOCK_THREAD_CPUTIME_ID);
    ticks = clock();
    getrusage(RUSAGE_SELF, &usage);
    times(&tms);
    printf("computed 25 ms, slept 30 ms: process %d, thread %d, clock %d, "
           "user %d, times %d\n",
           ms(process), ms(thread), ms(ticks * 1000ll),
           ms(usage.ru_utime.tv_usec * 1000ll), (int)tms.tms_utime);
}

static void nothing(int number)
{
    (void)number;
}

static void waits(void)
{
    int64_t start = now(CLOCK_PROCESS_CPUTIME_ID), polled;
    struct itimerval soon = {{0, 0}, {0, 20000}};

    poll(NULL, 0, 20);
    polled = now(CLOCK_PROCESS_CPUTIME_ID);
    signal(SIGALRM, nothing);
    setitimer(ITIMER_REAL, &soon, NULL);
    pause();
    printf("poll: %d, pause: %d\n", ms(polled - start),
           ms(now(CLOCK_PROCESS_CPUTIME_ID) - polled));
}

static int64_t took[3], by_number[3];
static pthread_barrier_t all;

static void *turns(void *argument)
{
    int *milliseconds = argument;
    clockid_t clock;
    int which = *milliseconds == 20 ? 0 : *milliseconds == 10 ? 1 : 2;

    pthread_getcpuclockid(pthread_self(), &clock);
    compute(*milliseconds);
    if (which == 2)
        usleep(10000);
    took[which] = now(CLOCK_THREAD_CPUTIME_ID);
    by_number[which] = now(clock);
    pthread_barrier_wait(&all);
    return NULL;
}

static void threads(void)
{
    static int wanted[3] = {20, 10, 0};
    pthread_t thread[3];
    clockid_t clock;
    int64_t start = now(CLOCK_PROCESS_CPUTIME_ID), process;

    clock_getcpuclockid(0, &clock);
    process = now(clock);
    pthread_barrier_init(&all, NULL, 3);
    for (int n = 0; n < 3; n++)
        pthread_create(&thread[n], NULL, turns, &wanted[n]);
    for (int n = 0; n < 3; n++)
        pthread_join(thread[n], NULL);
    printf("two threads of 20 and 10 ms, a third waits: %d, %d, %d; process: "
           "%d\n",
           ms(took[0]), ms(took[1]), ms(took[2]),
           ms(now(CLOCK_PROCESS_CPUTIME_ID) - start) / 5 * 5);
    printf("by pthread_getcpuclockid: %d, %d; the process's by "
           "clock_getcpuclockid: %d\n",
           ms(by_number[0]), ms(by_number[1]),
           ms(now(clock) - process) / 5 * 5);
}

static volatile sig_atomic_t came;

static void count(int number)
{
    (void)number;
    came++;
}

static void alarms(void)
{
    struct itimerval timer = {{0, 0}, {0, 10000}};
    int64_t used = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC);

    signal(SIGPROF, count);
    setitimer(ITIMER_PROF, &timer, NULL);
    compute(5);
    usleep(50000);
    while (!came) {
    }
    printf("ITIMER_PROF of 10 ms: after %d ms of processor time, %d ms or more "
           "of all\n",
           ms(now(CLOCK_PROCESS_CPUTIME_ID) - used),
           ms(now(CLOCK_MONOTONIC) - start) / 10 * 10);
}

static timer_t timer_on(clockid_t clock)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGUSR1};
    struct itimerspec in_5_ms = {{0, 0}, {0, 5 * MS}};
    timer_t timer = 0;

    signal(SIGUSR1, count);
    if (timer_create(clock, &event, &timer))
        perror("timer_create");
    came = 0;
    timer_settime(timer, 0, &in_5_ms, NULL);
    return timer;
}

static int until_it_comes(clockid_t clock)
{
    int64_t start = now(clock);
    timer_t timer = timer_on(clock);

    usleep(20000);
    while (!came) {
    }
    timer_delete(timer);
    return ms(now(clock) - start);
}

static void *sleeper(void *unused)
{
    usleep(40000);
    return unused;
}

static void timers(void)
{
    pthread_t thread;
    clockid_t clock;
    struct itimerspec left;
    int process = until_it_comes(CLOCK_PROCESS_CPUTIME_ID);
    timer_t timer;

    printf("timers of 5 ms: the process's after %d, the thread's after %d\n",
           process, until_it_comes(CLOCK_THREAD_CPUTIME_ID));
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_getcpuclockid(thread, &clock);
    timer = timer_on(clock);
    compute(20);
    timer_gettime(timer, &left);
    printf("a timer of a thread that sleeps: %s; left: %d ms\n",
           came ? "it came" : "not once", ms(left.it_value.tv_nsec));
    pthread_join(thread, NULL);
    timer_delete(timer);
}

static void *worker(void *unused)
{
    compute(30);
    return unused;
}

static long sleep_on(clockid_t clock, const struct timespec *time)
{
    return clock_nanosleep(clock, 0, time, NULL);
}

static void sleeps(void)
{
    struct timespec wanted = {0, 10 * MS}, time;
    int64_t start;
    pthread_t thread;
    clockid_t mine;

    pthread_create(&thread, NULL, worker, NULL);
    start = now(CLOCK_PROCESS_CPUTIME_ID);
    sleep_on(CLOCK_PROCESS_CPUTIME_ID, &wanted);
    printf("a sleep of 10 ms of processor time: %d ms; ",
           ms(now(CLOCK_PROCESS_CPUTIME_ID) - start));
    pthread_join(thread, NULL);
    pthread_getcpuclockid(pthread_self(), &mine);
    printf("of the thread's own: %s\n", strerror((int)sleep_on(mine, &wanted)));
    printf("timerfd of it: %s; ",
           timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0) < 0 ? strerror(errno)
                                                           : "there");
    printf("unknown clocks: %s, ",
           clock_gettime((clockid_t)(~99999u << 3 | 6), &time) < 0
               ? strerror(errno)
               : "there");
    printf("%s\n", strerror(clock_getcpuclockid(99999, &mine)));
}

int main(void)
{
    each_clock();
    waits();
    threads();
    alarms();
    timers();
    sleeps();
    return 0;
}
