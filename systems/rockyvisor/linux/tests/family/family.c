/*
 * family.c: random programs of processes, which end as on any coherent machine.
 *
 *   family [FIRST PROGRAMS]   so many, numbered from FIRST on
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
#include "family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct family *all;
int members, self, pipes[MOST][2];
uint32_t program, own[ROUNDS * 1024];
uint8_t *guarded;

/* What the plan says at one point. */
uint32_t drawn(int round, int member, int what)
{
    uint32_t x = program * 2654435761u + (uint32_t)round * 40503u +
                 (uint32_t)member * 9973u + (uint32_t)what * 101u + 1u;

    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x ^ x >> 16;
}

void expect(int right)
{
    atomic_fetch_add(&all->checked, 1);
    if (!right)
        atomic_fetch_add(&all->wrong, 1);
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
    for (int round = 0; round < ROUNDS; round++)
        live_a_round(round);
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
