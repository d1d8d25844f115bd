// A timer whose signal is blocked, then ignored for a while, sends it again.
// cc: -O1
// run: -n 1
// expect-stdout:
// pending 1, ignored: pending 0, again 1
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile int handled;

static void count(int number)
{
    (void)number;
    handled = 1;
}

static int is_pending(void)
{
    sigset_t set;

    sigpending(&set);
    return sigismember(&set, SIGUSR1);
}

static void wait_2ms(void)
{
    struct timespec begin, now;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec -
               begin.tv_nsec <
           2000000);
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGUSR1};
    struct itimerspec each = {{0, 1000000}, {0, 1000000}};
    sigset_t set;
    timer_t timer;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, count);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
        timer_settime(timer, 0, &each, NULL))
        return 1;
    wait_2ms();
    printf("pending %d, ", is_pending());
    signal(SIGUSR1, SIG_IGN);
    printf("ignored: pending %d, ", is_pending());
    signal(SIGUSR1, count);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    for (int n = 0; n < 5 && !handled; n++)
        wait_2ms();
    printf("again %d\n", handled);
    return 0;
}
