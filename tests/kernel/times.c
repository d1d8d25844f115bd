// Time: the fixed date, sleeping, alarms, and clocks that agree.
// run: -n 1
// expect-stdout:
// date 2010-01-01 00:00
// slept 20 ms: yes
// absolute sleep: yes
// alarms: 3
// interrupted sleep: yes, rest between 40 and 50 ms: yes
// poll waits 5 ms: yes
// pause ended by the alarm
// clocks agree: yes
// cycles a microsecond: 533
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int alarms;

static void count(int number)
{
    (void)number;
    alarms++;
}

static int64_t now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static const char *yes(int truth)
{
    return truth ? "yes" : "no";
}

static void start_alarm(long microseconds, long interval)
{
    struct itimerval timer = {{0, interval}, {0, microseconds}};

    setitimer(ITIMER_REAL, &timer, NULL);
}

static unsigned long long cycles(void)
{
    unsigned long long value;

    __asm__ volatile("rdtsc" : "=A"(value));
    return value;
}

int main(void)
{
    struct timespec wish = {0, 20000000}, rest;
    time_t date = time(NULL);
    char text[32];
    int64_t start, took;
    unsigned long long ticks;
    int error;

    strftime(text, sizeof(text), "%Y-%m-%d %H:%M", gmtime(&date));
    printf("date %s\n", text);
    start = now(CLOCK_MONOTONIC);
    nanosleep(&wish, NULL);
    took = now(CLOCK_MONOTONIC) - start;
    printf("slept 20 ms: %s\n", yes(took >= 20000000 && took < 20200000));
    start = now(CLOCK_MONOTONIC) + 3000000;
    wish = (struct timespec){start / 1000000000, start % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wish, NULL);
    took = now(CLOCK_MONOTONIC) - start;
    printf("absolute sleep: %s\n", yes(took >= 0 && took < 200000));
    signal(SIGALRM, count);
    start_alarm(1000, 1000);
    while (alarms < 3)
        ;
    start_alarm(0, 0);
    printf("alarms: %d\n", alarms);
    start_alarm(5000, 0);
    wish = (struct timespec){0, 50000000};
    error = nanosleep(&wish, &rest) == -1 && errno == EINTR;
    printf("interrupted sleep: %s, rest between 40 and 50 ms: %s\n", yes(error),
           yes(rest.tv_nsec > 40000000 && rest.tv_nsec < 50000000));
    start = now(CLOCK_MONOTONIC);
    poll(NULL, 0, 5);
    took = now(CLOCK_MONOTONIC) - start;
    printf("poll waits 5 ms: %s\n", yes(took >= 5000000 && took < 5200000));
    start_alarm(1000, 0);
    pause();
    printf("pause ended by the alarm\n");
    took = now(CLOCK_REALTIME) - 1262304000000000000ll - now(CLOCK_MONOTONIC);
    printf("clocks agree: %s\n", yes(took <= 0 && took > -200000));
    ticks = cycles();
    start = now(CLOCK_MONOTONIC);
    usleep(10000);
    ticks = cycles() - ticks;
    took = now(CLOCK_MONOTONIC) - start;
    printf("cycles a microsecond: %d\n", (int)(ticks * 1000 / took));
    return 0;
}
