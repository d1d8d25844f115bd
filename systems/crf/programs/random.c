/*
 * random.c: random programs of threads that must end as on a coherent host.
 *
 *   random [THREADS FIRST PROGRAMS]
 *
 * Each program is a number, from which all threads draw the same plan: rounds
 * in which each thread changes bytes that lie between those of others, adds to
 * counters, each under a lock of its own kind or atomic, passes a turn by a condition, sends
 * blocks of memory to the next thread, which frees them, and after a barrier
 * reads what the others wrote. What must come out is computed from the plan. The
 * output is the number of programs, of values checked and of wrong ones, and a
 * sum over all that was in memory at the programs' ends: that of the same source
 * on a coherent host.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 48, BYTES = 96 /* of each thread */, COUNTERS = 10, ROUNDS = 6 };

/* Counter n has the kind n % 5. */
enum { MUTEX, SPIN, READ_WRITE, SEMAPHORE, ATOMIC, KINDS };
static pthread_mutex_t mutexes[COUNTERS], turn_lock;
static pthread_spinlock_t spins[COUNTERS];
static pthread_rwlock_t read_writes[COUNTERS];
static sem_t semaphores[COUNTERS];
static pthread_cond_t turn_comes;
static pthread_barrier_t barrier;
static uint8_t *bytes; /* of thread t: t, t + threads, ... */
static uint32_t counters[COUNTERS * 16];
static _Atomic uint32_t atomics[COUNTERS];
/* What threads send to each other: a list of blocks for each. */
struct block {
    struct block *next;
    uint32_t value;
};
static struct box {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct block *first;
} boxes[MOST];
static uint32_t received[MOST], sum;
static int threads, turn, wrong[MOST], checked[MOST];
static uint32_t program;

/* What the plan says at one point: the same on all cores. */
static uint32_t drawn(int round, int thread, int what)
{
    uint32_t x = program * 2654435761u + (uint32_t)round * 40503u +
                 (uint32_t)thread * 9973u + (uint32_t)what * 101u + 1u;

    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    x *= 3266489917u;
    return x ^ x >> 16;
}

static int steps(int round, int thread)
{
    return (int)(drawn(round, thread, 0) % 12);
}

static void change_bytes(int round, int thread, uint8_t *own, int stride)
{
    for (int n = 1; n <= steps(round, thread); n++) {
        uint32_t value = drawn(round, thread, n);

        own[(int)(value % BYTES) * stride] += (uint8_t)(value >> 8);
    }
}

static void lock(int which, int take)
{
    switch (which % KINDS) {
    case MUTEX:
        take ? pthread_mutex_lock(&mutexes[which])
             : pthread_mutex_unlock(&mutexes[which]);
        break;
    case SPIN:
        take ? pthread_spin_lock(&spins[which])
             : pthread_spin_unlock(&spins[which]);
        break;
    case READ_WRITE:
        take ? pthread_rwlock_wrlock(&read_writes[which])
             : pthread_rwlock_unlock(&read_writes[which]);
        break;
    default:
        take ? sem_wait(&semaphores[which]) : sem_post(&semaphores[which]);
    }
}

static int additions(int round, int thread)
{
    return (int)(drawn(round, thread, 50) % 5);
}

static void add(int round, int thread)
{
    for (int n = 0; n < additions(round, thread); n++) {
        uint32_t value = drawn(round, thread, 51 + n);
        int which = (int)(value % COUNTERS);

        if (which % KINDS == ATOMIC) {
            atomic_fetch_add_explicit(&atomics[which], value >> 8,
                                      memory_order_relaxed);
            continue;
        }
        lock(which, 1);
        counters[which * 16] += value >> 8;
        lock(which, 0);
    }
}

static int blocks(int round, int thread)
{
    return (int)(drawn(round, thread, 60) % 3);
}

static void send(int round, int thread)
{
    struct box *box = &boxes[(thread + 1) % threads];

    for (int n = 0; n < blocks(round, thread); n++) {
        struct block *block = malloc(sizeof *block + 40 * (size_t)n);

        block->value = drawn(round, thread, 61 + n);
        pthread_mutex_lock(&box->lock);
        block->next = box->first;
        box->first = block;
        pthread_cond_signal(&box->filled);
        pthread_mutex_unlock(&box->lock);
    }
}

static void receive(int round, int thread)
{
    int from = (thread + threads - 1) % threads;
    struct box *box = &boxes[thread];

    for (int n = 0; n < blocks(round, from); n++) {
        struct block *block;

        pthread_mutex_lock(&box->lock);
        while (!box->first)
            pthread_cond_wait(&box->filled, &box->lock);
        block = box->first;
        box->first = block->next;
        pthread_mutex_unlock(&box->lock);
        received[thread] += block->value;
        free(block);
    }
}

static void take_turn(int thread)
{
    pthread_mutex_lock(&turn_lock);
    while (turn % threads != thread)
        pthread_cond_wait(&turn_comes, &turn_lock);
    turn++;
    pthread_cond_broadcast(&turn_comes);
    pthread_mutex_unlock(&turn_lock);
}

static void expect(int thread, int right)
{
    checked[thread]++;
    wrong[thread] += !right;
}

/* Another thread's bytes after a round. */
static void look(int round, int thread)
{
    int other = (int)(drawn(round, thread, 70) % (uint32_t)threads);
    uint8_t should[BYTES] = {0};

    for (int r = 0; r <= round; r++)
        change_bytes(r, other, should, 1);
    for (int n = 0; n < BYTES; n++)
        expect(thread, bytes[n * threads + other] == should[n]);
}

static void *work(void *argument)
{
    int thread = *(int *)argument;

    for (int round = 0; round < ROUNDS; round++) {
        change_bytes(round, thread, bytes + thread, threads);
        add(round, thread);
        send(round, thread);
        if (drawn(round, 0, 80) % 3 == 0)
            take_turn(thread);
        receive(round, thread);
        pthread_barrier_wait(&barrier);
        look(round, thread);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void check_counters(void)
{
    uint32_t should[COUNTERS] = {0};

    for (int round = 0; round < ROUNDS; round++)
        for (int thread = 0; thread < threads; thread++)
            for (int n = 0; n < additions(round, thread); n++) {
                uint32_t value = drawn(round, thread, 51 + n);

                should[value % COUNTERS] += value >> 8;
            }
    for (int n = 0; n < COUNTERS; n++)
        expect(0, counters[n * 16] + atomics[n] == should[n]);
}

static void check_blocks(void)
{
    for (int thread = 0; thread < threads; thread++) {
        uint32_t should = 0;

        for (int round = 0; round < ROUNDS; round++)
            for (int n = 0; n < blocks(round, thread); n++)
                should += drawn(round, thread, 61 + n);
        expect(0, received[(thread + 1) % threads] == should);
    }
}

/* Of all that is in memory at the end. */
static void sum_up(void)
{
    for (int n = 0; n < threads * BYTES; n++)
        sum = (sum ^ bytes[n]) * 16777619u;
    for (int n = 0; n < COUNTERS; n++)
        sum = (sum ^ (counters[n * 16] + atomics[n])) * 16777619u;
    for (int n = 0; n < threads; n++)
        sum = (sum ^ received[n]) * 16777619u;
}

static void run(void)
{
    pthread_t others[MOST];
    int numbers[MOST];

    turn = 0;
    memset(counters, 0, sizeof counters);
    memset(received, 0, sizeof received);
    for (int n = 0; n < COUNTERS; n++)
        atomics[n] = 0;
    bytes = calloc((size_t)threads, BYTES);
    for (int n = 0; n < threads; n++)
        numbers[n] = n;
    for (int n = 1; n < threads; n++)
        if (pthread_create(&others[n], NULL, work, &numbers[n]))
            exit(1);
    work(&numbers[0]);
    for (int n = 1; n < threads; n++)
        pthread_join(others[n], NULL);
    check_counters();
    check_blocks();
    sum_up();
    free(bytes);
}

static void make_locks(void)
{
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int n = 0; n < COUNTERS; n++) {
        pthread_spin_init(&spins[n], PTHREAD_PROCESS_PRIVATE);
        pthread_rwlock_init(&read_writes[n], NULL);
        sem_init(&semaphores[n], 0, 1);
    }
}

int main(int argc, char **argv)
{
    int first = argc > 2 ? atoi(argv[2]) : 1;
    int programs = argc > 3 ? atoi(argv[3]) : 1, found = 0, all = 0;

    threads = argc > 1 ? atoi(argv[1]) : 2;
    if (threads < 1 || threads > MOST)
        return 2;
    make_locks();
    for (int n = 0; n < programs; n++) {
        program = (uint32_t)(first + n);
        run();
    }
    for (int n = 0; n < threads; n++) {
        found += wrong[n];
        all += checked[n];
    }
    printf("random %d programs, %d values, %d wrong, sum %08x\n", programs, all,
           found, (unsigned)sum);
    return found != 0;
}
