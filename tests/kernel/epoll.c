// epoll over pipes, eventfd, timerfd and signalfd: levels, edges, one shot, and what is closed.
// run: -n 1
// also-slow: --kernel l4
// expect-stdout:
// nothing 0, then 1: 7 in
// still 1; edge 1, 0, after more 1
// one shot 1, 0, again 1
// there already 17, gone 0 2, a file 1, itself 22
// closed: 0, its number anew 1
// timer 1: expired 1, then 11
// by date: expired 1, left 0
// signal 1: 10, with 77
// three of four, then the fourth
// poll of the instance 1
// interrupted 4
// no events: 0, after the other end is closed 1: hung up
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static struct epoll_event out[8];

static int control(int epoll, int what, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u32 = 7};

    return epoll_ctl(epoll, what, fd, &event) ? errno : 0;
}

static int look(int epoll)
{
    return epoll_wait(epoll, out, 8, 0);
}

static void levels(int epoll, const int *ends)
{
    control(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN);
    printf("nothing %d", look(epoll));
    write(ends[1], "a", 1);
    printf(", then %d: ", epoll_wait(epoll, out, 8, -1));
    printf("%u %s\n", out[0].data.u32, out[0].events == EPOLLIN ? "in" : "?");
    printf("still %d", look(epoll));
    control(epoll, EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET);
    printf("; edge %d", look(epoll));
    printf(", %d", look(epoll));
    write(ends[1], "b", 1);
    printf(", after more %d\n", look(epoll));
    control(epoll, EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLONESHOT);
    printf("one shot %d", look(epoll));
    printf(", %d", look(epoll));
    control(epoll, EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLONESHOT);
    printf(", again %d\n", look(epoll));
}

static void refusals(int epoll, int *ends)
{
    int file = open("/tmp/file", O_CREAT | O_RDWR, 0600), other;

    printf("there already %d", control(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN));
    printf(", gone %d", control(epoll, EPOLL_CTL_DEL, ends[0], 0));
    printf(" %d", control(epoll, EPOLL_CTL_DEL, ends[0], 0));
    printf(", a file %d", control(epoll, EPOLL_CTL_ADD, file, EPOLLIN));
    printf(", itself %d\n", control(epoll, EPOLL_CTL_ADD, epoll, EPOLLIN));
    close(file);
    control(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN);
    other = dup(ends[0]);
    close(ends[0]);
    printf("closed: %d", look(epoll));
    ends[0] = dup2(other, ends[0]);
    close(other);
    control(epoll, EPOLL_CTL_DEL, ends[0], 0);
    control(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN);
    printf(", its number anew %d\n", look(epoll));
    control(epoll, EPOLL_CTL_DEL, ends[0], 0);
}

static void timers(int epoll)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec when = {{0, 1000000}, {0, 1000000}};
    struct timespec later;
    uint64_t expired;

    timerfd_settime(fd, 0, &when, NULL);
    control(epoll, EPOLL_CTL_ADD, fd, EPOLLIN);
    printf("timer %d: ", epoll_wait(epoll, out, 8, 1000));
    read(fd, &expired, sizeof expired);
    printf("expired %d", (int)expired);
    usleep(10500);
    read(fd, &expired, sizeof expired);
    printf(", then %d\n", expired > 9 && expired < 13 ? 11 : (int)expired);
    close(fd);
    fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    clock_gettime(CLOCK_REALTIME, &later);
    when = (struct itimerspec){{0, 0}, {later.tv_sec, later.tv_nsec}};
    timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
    poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
    read(fd, &expired, sizeof expired);
    timerfd_gettime(fd, &when);
    printf("by date: expired %d, left %ld\n", (int)expired,
           (long)when.it_value.tv_nsec);
    close(fd);
}

static void signals(int epoll)
{
    struct signalfd_siginfo record;
    sigset_t set;
    int fd;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    fd = signalfd(-1, &set, SFD_CLOEXEC);
    control(epoll, EPOLL_CTL_ADD, fd, EPOLLIN);
    sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 77});
    printf("signal %d: ", epoll_wait(epoll, out, 8, -1));
    read(fd, &record, sizeof record);
    printf("%u, with %d\n", record.ssi_signo, record.ssi_int);
    close(fd);
}

static void turns(int epoll)
{
    int fds[4], found = 0;

    for (int n = 0; n < 4; n++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1u << n};

        fds[n] = eventfd(1, 0);
        epoll_ctl(epoll, EPOLL_CTL_ADD, fds[n], &event);
    }
    for (int n = epoll_wait(epoll, out, 3, 0); n-- > 0;)
        found |= out[n].data.u32;
    epoll_wait(epoll, out, 1, 0);
    printf("three of four, then %s\n",
           (found | out[0].data.u32) == 15 ? "the fourth" : "none");
    printf("poll of the instance %d\n",
           poll(&(struct pollfd){.fd = epoll, .events = POLLIN}, 1, 0));
    for (int n = 0; n < 4; n++)
        close(fds[n]);
}

static void on_alarm(int number)
{
    (void)number;
}

/* epoll_ctl(2): EPOLLERR and EPOLLHUP are always reported. */
static void no_events(int epoll)
{
    int ends[2];

    pipe(ends);
    control(epoll, EPOLL_CTL_ADD, ends[0], 0);
    write(ends[1], "a", 1);
    printf("no events: %d", look(epoll));
    close(ends[1]);
    printf(", after the other end is closed %d", look(epoll));
    printf(": %s\n", out[0].events == EPOLLHUP ? "hung up" : "?");
    close(ends[0]);
}

int main(void)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC), ends[2];
    struct itimerval soon = {{0, 0}, {0, 1000}};

    pipe(ends);
    levels(epoll, ends);
    refusals(epoll, ends);
    timers(epoll);
    signals(epoll);
    turns(epoll);
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &soon, NULL);
    printf("interrupted %d\n", epoll_wait(epoll, out, 8, 1000) < 0 ? errno : 0);
    no_events(epoll);
    return 0;
}
