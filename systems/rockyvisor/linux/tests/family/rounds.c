/* rounds.c: what a process of a random program does in each round. */
#define _GNU_SOURCE
#include "family.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void change_bytes(int round, int member, uint8_t *bytes, int stride)
{
    int steps = (int)(drawn(round, member, 0) % 24);

    for (int n = 1; n <= steps; n++) {
        uint32_t value = drawn(round, member, n);

        bytes[(int)(value % BYTES) * stride] += (uint8_t)(value >> 8);
    }
}

int additions(int round, int member)
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

void on_fault(int number, siginfo_t *told, void *context)
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

void live_a_round(int round)
{
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
