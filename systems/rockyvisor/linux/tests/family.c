/*
 * family.c: random programs of processes, which end as on any coherent machine.
 *
 *   family [FIRST PROGRAMS]   so many, numbered from FIRST on
 *   family bomb PROCESSES     all alive at once, each another one's parent
 *
 * Each program is a number, from which all processes of a tree draw the same plan.
 * In each round a process changes bytes that lie between those of others, adds
 * to counters under a lock, by a semaphore or by LOCK, sends values to the next
 * one by a pipe and by queued signals, writes to a page that it must not, hands
 * on a turn by a futex, and after a barrier reads what others wrote. It ends with
 * a code or by a signal, which its parent compares. The output is the number of
 * programs, of values checked and of wrong ones, and a sum over the memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8, BYTES = 64, COUNTERS = 6, ROUNDS = 3, PAGE = 4096 };
enum { MUTEX, SEMAPHORE, ATOMIC, KINDS }; /* of counter n: n % KINDS */

/* What all of them see. */
static struct {
    pthread_mutex_t mutexes[COUNTERS];
    sem_t semaphores[COUNTERS];
    pthread_barrier_t barrier;
    _Atomic uint32_t counters[COUNTERS], turn, checked, wrong;
    _Atomic pid_t pids[MOST];
    uint8_t bytes[MOST * BYTES]; /* of member m: m, m + members, ... */
} *all;
static int members, self, pipes[MOST][2];
static uint32_t program, own[ROUNDS * 1024]; /* each its own copy */
static uint8_t *guarded;

/* What the plan says at one point. */
static uint32_t drawn(int round, int member, int what)
{
    uint32_t x = program * 2654435761u + (uint32_t)round * 40503u +
                 (uint32_t)member * 9973u + (uint32_t)what * 101u + 1u;

    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x ^ x >> 16;
}

static void expect(int right)
{
    atomic_fetch_add(&all->checked, 1);
    if (!right)
        atomic_fetch_add(&all->wrong, 1);
}

static void change_bytes(int round, int member, uint8_t *bytes, int stride)
{
    int steps = (int)(drawn(round, member, 0) % 24);

    for (int n = 1; n <= steps; n++) {
        uint32_t value = drawn(round, member, n);

        bytes[(int)(value % BYTES) * stride] += (uint8_t)(value >> 8);
    }
}

static int additions(int round, int member)
{
    return (int)(drawn(round, member, 50) % 6);
}

static void add(int round)
{
    for (int n = 0; n < additions(round, self); n++) {
        uint32_t value = drawn(round, self, 51 + n);
        int which = (int)(value % COUNTERS), kind = which % KINDS;

        if (kind == ATOMIC) {
            atomic_fetch_add(&all->counters[which], value >> 8);
            continue;
        }
        kind == MUTEX ? pthread_mutex_lock(&all->mutexes[which])
                      : sem_wait(&all->semaphores[which]);
        atomic_store_explicit(
            &all->counters[which],
            atomic_load_explicit(&all->counters[which], memory_order_relaxed) +
                (value >> 8),
            memory_order_relaxed);
        kind == MUTEX ? pthread_mutex_unlock(&all->mutexes[which])
                      : sem_post(&all->semaphores[which]);
    }
}

static int words(int round, int member)
{
    return (int)(drawn(round, member, 60) % 700);
}

/* By the pipe to the next one, which reads until it has all. */
static void send(int round)
{
    uint32_t values[700];
    int count = words(round, self);

    for (int n = 0; n < count; n++)
        values[n] = drawn(round, self, 100 + n);
    expect(write(pipes[(self + 1) % members][1], values, 4u * (size_t)count) ==
           4 * count);
}

static void receive(int round)
{
    int from = (self + members - 1) % members, count = words(round, from);
    uint32_t values[700];
    int got = 0;

    while (got < 4 * count) {
        ssize_t part = read(pipes[self][0], (char *)values + got,
                            4u * (size_t)count - (size_t)got);

        if (part <= 0)
            break;
        got += (int)part;
    }
    expect(got == 4 * count);
    for (int n = 0; n < count; n++)
        if (values[n] != drawn(round, from, 100 + n)) {
            expect(0);
            break;
        }
}

static int signals(int round, int member)
{
    return (int)(drawn(round, member, 70) % 4);
}

static void send_signals(int round)
{
    for (int n = 0; n < signals(round, self); n++)
        sigqueue(all->pids[(self + 1) % members], SIGRTMIN,
                 (union sigval){.sival_int = (int)drawn(round, self, 71 + n)});
}

static void receive_signals(int round)
{
    int from = (self + members - 1) % members;
    siginfo_t told;
    sigset_t queued;

    sigemptyset(&queued);
    sigaddset(&queued, SIGRTMIN);
    for (int n = 0; n < signals(round, from); n++) {
        while (sigwaitinfo(&queued, &told) < 0 && errno == EINTR)
            ;
        expect(told.si_value.sival_int == (int)drawn(round, from, 71 + n));
    }
}

static void on_fault(int number, siginfo_t *told, void *context)
{
    (void)number;
    (void)context;
    if ((uint8_t *)told->si_addr < guarded ||
        (uint8_t *)told->si_addr >= guarded + PAGE)
        _exit(99);
    mprotect(guarded, PAGE, PROT_READ | PROT_WRITE);
}

static void write_where_it_must_not(int round)
{
    size_t at = drawn(round, self, 80) % PAGE;
    uint8_t before = ((volatile uint8_t *)guarded)[at];

    mprotect(guarded, PAGE, PROT_READ);
    ((volatile uint8_t *)guarded)[at]++;
    expect(((volatile uint8_t *)guarded)[at] == (uint8_t)(before + 1));
}

static void take_turn(void)
{
    uint32_t now;

    while ((now = all->turn) % (uint32_t)members != (uint32_t)self)
        syscall(SYS_futex, &all->turn, FUTEX_WAIT, now, NULL, NULL, 0);
    atomic_fetch_add(&all->turn, 1);
    syscall(SYS_futex, &all->turn, FUTEX_WAKE, MOST, NULL, NULL, 0);
}

/* Another one's bytes after a round; and this one's copy of what all had. */
static void look(int round)
{
    int other = (int)(drawn(round, self, 90) % (uint32_t)members);
    uint8_t should[BYTES] = {0};

    for (int r = 0; r <= round; r++)
        change_bytes(r, other, should, 1);
    for (int n = 0; n < BYTES; n++)
        expect(all->bytes[n * members + other] == should[n]);
    own[round * 1024] += (uint32_t)self;
    expect(own[round * 1024] == (uint32_t)(round + self));
}

static int dies(int member)
{
    return member && drawn(0, member, 95) % 5 == 0;
}

static int code(int member)
{
    return (int)(drawn(0, member, 96) % 90);
}

/* Member m has the children 2 m + 1 and 2 m + 2. */
static pid_t start_child(int child)
{
    pid_t pid;

    if (child >= members)
        return 0;
    fflush(stdout);
    pid = fork();
    if (pid)
        return pid;
    self = child;
    return -1;
}

static void wait_for_child(pid_t pid, int child)
{
    int status = 0;

    if (!pid)
        return;
    expect(waitpid(pid, &status, 0) == pid);
    if (dies(child))
        expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    else
        expect(WIFEXITED(status) && WEXITSTATUS(status) == code(child));
}

static void live(void)
{
    pid_t children[2] = {0, 0};

    for (int n = 0; n < 2; n++) {
        children[n] = start_child(2 * self + 1 + n);
        if (children[n] < 0) { /* the child */
            children[0] = children[1] = 0;
            n = -1;
        }
    }
    all->pids[self] = getpid();
    pthread_barrier_wait(&all->barrier);
    for (int round = 0; round < ROUNDS; round++) {
        change_bytes(round, self, all->bytes + self, members);
        add(round);
        send(round);
        send_signals(round);
        write_where_it_must_not(round);
        if (drawn(round, 0, 81) % 2)
            take_turn();
        receive(round);
        receive_signals(round);
        pthread_barrier_wait(&all->barrier);
        look(round);
        pthread_barrier_wait(&all->barrier);
    }
    for (int n = 0; n < 2; n++)
        wait_for_child(children[n], 2 * self + 1 + n);
    if (dies(self))
        kill(getpid(), SIGKILL);
    if (self)
        _exit(code(self));
}

static void check_counters(void)
{
    uint32_t should[COUNTERS] = {0};

    for (int round = 0; round < ROUNDS; round++)
        for (int member = 0; member < members; member++)
            for (int n = 0; n < additions(round, member); n++) {
                uint32_t value = drawn(round, member, 51 + n);

                should[value % COUNTERS] += value >> 8;
            }
    for (int n = 0; n < COUNTERS; n++)
        expect(all->counters[n] == should[n]);
}

static void prepare(void)
{
    pthread_mutexattr_t shared;
    pthread_barrierattr_t shared_barrier;

    members = 2 + (int)(drawn(0, 0, 1) % (MOST - 1));
    self = 0;
    for (int round = 0; round < ROUNDS; round++)
        own[round * 1024] = (uint32_t)round;
    memset(all->bytes, 0, sizeof(all->bytes));
    all->turn = 0;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_init(&shared_barrier);
    pthread_barrierattr_setpshared(&shared_barrier, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&all->barrier, &shared_barrier, (unsigned)members);
    for (int n = 0; n < COUNTERS; n++) {
        all->counters[n] = 0;
        pthread_mutex_init(&all->mutexes[n], &shared);
        sem_init(&all->semaphores[n], 1, 1);
    }
    for (int n = 0; n < members; n++)
        if (pipe(pipes[n]) != 0)
            exit(3);
}

/* Each process is the parent of the next one; none ends before all are there. */
static int bomb(int count)
{
    int number = 0, status = 0;
    pid_t child = 0;

    while (number < count - 1) {
        child = fork();
        if (child < 0) {
            fprintf(stderr, "family: process %d: %s\n", number + 1,
                    strerror(errno));
            _exit(1);
        }
        if (child)
            break;
        number++;
    }
    atomic_fetch_add(&all->turn, 1);
    while (all->turn < (uint32_t)count)
        syscall(SYS_futex, &all->turn, FUTEX_WAIT, all->turn, NULL, NULL, 0);
    syscall(SYS_futex, &all->turn, FUTEX_WAKE, count, NULL, NULL, 0);
    if (child && (waitpid(child, &status, 0) != child || status != 0))
        atomic_fetch_add(&all->wrong, 1);
    if (number)
        _exit(0);
    printf("%u processes at once, %u wrong\n", (unsigned)all->turn,
           (unsigned)all->wrong);
    return all->wrong != 0;
}

int main(int count, char **given)
{
    int first = count > 1 ? atoi(given[1]) : 1;
    int programs = count > 2 ? atoi(given[2]) : 1;
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO};
    uint32_t sum = 0;
    sigset_t queued;

    all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    guarded = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || guarded == MAP_FAILED)
        return 3;
    if (count > 1 && strcmp(given[1], "bomb") == 0)
        return bomb(programs);
    sigaction(SIGSEGV, &action, NULL);
    sigemptyset(&queued);
    sigaddset(&queued, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &queued, NULL);
    for (int n = 0; n < programs; n++) {
        program = (uint32_t)(first + n);
        prepare();
        live();
        check_counters();
        for (int at = 0; at < members * BYTES; at++)
            sum = (sum ^ all->bytes[at]) * 16777619u;
        for (int at = 0; at < members; at++) {
            close(pipes[at][0]);
            close(pipes[at][1]);
        }
    }
    printf("family %d programs, %u values, %u wrong, sum %08x\n", programs,
           (unsigned)all->checked, (unsigned)all->wrong, (unsigned)sum);
    return all->wrong != 0;
}
