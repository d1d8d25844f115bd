// What ends a wait, and what does not: calls go on after a handler with SA_RESTART; ppoll and
// pselect lend a mask; signals of real time are queued, of the others the first one stays; a timer
// whose signal was pending for another reason goes on; each of setitimer's timers has its signal.
// cc: -O1 -pthread=core
// run: -n 1 --tag none
// share: yes
// expect-stdout:
// with SA_RESTART: read 1 after 1 handler, a semaphore: 0 after 1 handler
// without: read -1, Interrupted system call
// ppoll: Interrupted system call, 1 handler, blocked again: 1
// pselect: Interrupted system call, 1 handler, blocked again: 1
// what is ready goes first: 1, 0 handlers
// queued: 1 2 3
// not queued: 1
// both timers went on: 1 1
// setitimer: SIGALRM 1, SIGVTALRM 1, SIGPROF 1
// normal data: 1 1
// folders under umask 077: 700
// a buffer longer than memory: 5
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int handled, last, values[8], value_count;
static int ends[2];
static sem_t semaphore;

static void note(int number)
{
    handled++;
    last = number;
}

static void note_value(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    if (value_count < 8)
        values[value_count++] = info->si_value.sival_int;
}

static void handle(int number, int flags)
{
    struct sigaction action = {.sa_flags = flags};

    if (flags & SA_SIGINFO)
        action.sa_sigaction = note_value;
    else
        action.sa_handler = note;
    sigaction(number, &action, NULL);
    handled = last = value_count = 0;
}

static void alarm_in(int which, int microseconds)
{
    const struct itimerval once = {{0, 0}, {0, microseconds}};

    setitimer(which, &once, NULL);
}

static void *write_later(void *unused)
{
    usleep(3000);
    if (write(ends[1], "x", 1) != 1)
        puts("not written");
    sem_post(&semaphore);
    return unused;
}

static void restarts(void)
{
    pthread_t writer;
    long result;
    char byte;

    sem_init(&semaphore, 0, 0);
    handle(SIGALRM, SA_RESTART);
    pthread_create(&writer, NULL, write_later, NULL);
    alarm_in(ITIMER_REAL, 1000);
    result = read(ends[0], &byte, 1);
    printf("with SA_RESTART: read %ld after %d handler, ", result, handled);
    pthread_join(writer, NULL);
    sem_wait(&semaphore);
    handled = 0;
    pthread_create(&writer, NULL, write_later, NULL);
    alarm_in(ITIMER_REAL, 1000);
    result = sem_wait(&semaphore);
    printf("a semaphore: %ld after %d handler\n", result, handled);
    pthread_join(writer, NULL);
    (void)!read(ends[0], &byte, 1);
    handle(SIGALRM, 0);
    alarm_in(ITIMER_REAL, 1000);
    result = read(ends[0], &byte, 1);
    printf("without: read %ld, %s\n", result, strerror(errno));
}

static void print_mask(const char *call)
{
    sigset_t now;

    printf("%s: %s, %d handler, ", call, strerror(errno), handled);
    sigprocmask(SIG_SETMASK, NULL, &now);
    printf("blocked again: %d\n", sigismember(&now, SIGUSR1));
    handled = errno = 0;
}

static void masks(void)
{
    const struct timespec soon = {0, 2000000};
    struct pollfd writable = {.fd = ends[1], .events = POLLOUT};
    sigset_t blocked, before;
    int found;

    handle(SIGUSR1, 0);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    errno = 0;
    raise(SIGUSR1);
    ppoll(NULL, 0, &soon, &before);
    print_mask("ppoll");
    raise(SIGUSR1);
    pselect(0, NULL, NULL, NULL, &soon, &before);
    print_mask("pselect");
    raise(SIGUSR1);
    found = ppoll(&writable, 1, &soon, &before);
    printf("what is ready goes first: %d, %d handlers\n", found, handled);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void send_three(const char *text, int number)
{
    sigset_t blocked, before;

    handle(number, SA_SIGINFO);
    sigemptyset(&blocked);
    sigaddset(&blocked, number);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    for (int n = 1; n <= 3; n++)
        sigqueue(getpid(), number, (union sigval){.sival_int = n});
    sigprocmask(SIG_SETMASK, &before, NULL);
    printf("%s:", text);
    for (int n = 0; n < value_count; n++)
        printf(" %d", values[n]);
    puts("");
}

static void compute(int microseconds)
{
    struct timespec now;
    long end;

    clock_gettime(CLOCK_MONOTONIC, &now);
    end = now.tv_sec * 1000000 + now.tv_nsec / 1000 + microseconds;
    while (now.tv_sec * 1000000 + now.tv_nsec / 1000 < end)
        clock_gettime(CLOCK_MONOTONIC, &now);
}

static volatile int ticks[2];

static void tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    ticks[info->si_value.sival_int]++;
}

/* Both expire while their one signal is blocked. */
static void timers(void)
{
    struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO};
    const struct itimerspec each = {{0, 300000}, {0, 300000}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGUSR2};
    sigset_t blocked, before;
    timer_t timer[2];

    sigaction(SIGUSR2, &action, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    for (int n = 0; n < 2; n++) {
        event.sigev_value.sival_int = n;
        timer_create(CLOCK_MONOTONIC, &event, &timer[n]);
        timer_settime(timer[n], 0, &each, NULL);
    }
    sigprocmask(SIG_BLOCK, &blocked, &before);
    compute(1000);
    sigprocmask(SIG_SETMASK, &before, NULL);
    compute(3000);
    printf("both timers went on: %d %d\n", ticks[0] > 3, ticks[1] > 3);
    timer_delete(timer[0]);
    timer_delete(timer[1]);
}

static int signal_of(int which, int number)
{
    handle(number, 0);
    alarm_in(which, 100);
    compute(500);
    return handled == 1 && last == number;
}

static void descriptors(void)
{
    struct pollfd normal[] = {{.fd = ends[0], .events = POLLRDNORM},
                              {.fd = ends[1], .events = POLLWRNORM}};
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int file = open("five", O_CREAT | O_RDWR, 0600);
    struct stat status;

    (void)!write(ends[1], "x", 1);
    poll(normal, 2, 1);
    printf("normal data: %d %d\n", normal[0].revents == POLLRDNORM,
           normal[1].revents == POLLWRNORM);
    umask(077);
    mkdir("folder", 0777);
    stat("folder", &status);
    printf("folders under umask 077: %o\n", status.st_mode & 0777);
    rmdir("folder");
    (void)!pwrite(file, "12345", 5, 0);
    printf("a buffer longer than memory: %ld\n",
           (long)pread(file, page, 0x7FFFFFFF, 0));
}

int main(void)
{
    int alarms[3];

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (pipe(ends))
        return 1;
    restarts();
    masks();
    send_three("queued", SIGRTMIN + 1);
    send_three("not queued", SIGUSR2);
    timers();
    alarms[0] = signal_of(ITIMER_REAL, SIGALRM);
    alarms[1] = signal_of(ITIMER_VIRTUAL, SIGVTALRM);
    alarms[2] = signal_of(ITIMER_PROF, SIGPROF);
    printf("setitimer: SIGALRM %d, SIGVTALRM %d, SIGPROF %d\n", alarms[0],
           alarms[1], alarms[2]);
    descriptors();
    return 0;
}
