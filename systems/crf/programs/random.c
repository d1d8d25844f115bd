/*
 * random.c: random programs of threads that must end as on a coherent host.
 *
 *   random [THREADS FIRST PROGRAMS]
 *
 * Each program is a number, from which all threads draw the same plan: rounds
 * in which each thread changes bytes that lie between those of others, adds to
 * counters under their mutexes, passes a turn by a condition, and after a
 * barrier reads what the others wrote. What must come out is computed from the
 * plan. The output is the number of programs, of values checked and of wrong
 * ones.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 48
#define BYTES 96 /* of each thread */
#define COUNTERS 8
#define ROUNDS 6

static pthread_mutex_t locks[COUNTERS], turn_lock;
static pthread_cond_t turn_comes;
static pthread_barrier_t barrier;
static uint8_t *bytes; /* of thread t: t, t + threads, ... */
static uint32_t counters[COUNTERS * 16];
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

static void add(int round, int thread)
{
    for (int n = 0; n < (int)(drawn(round, thread, 50) % 5); n++) {
        uint32_t value = drawn(round, thread, 51 + n);
        int which = (int)(value % COUNTERS);

        pthread_mutex_lock(&locks[which]);
        counters[which * 16] += value >> 8;
        pthread_mutex_unlock(&locks[which]);
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
        if (drawn(round, 0, 80) % 3 == 0)
            take_turn(thread);
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
            for (int n = 0; n < (int)(drawn(round, thread, 50) % 5); n++) {
                uint32_t value = drawn(round, thread, 51 + n);

                should[value % COUNTERS] += value >> 8;
            }
    for (int n = 0; n < COUNTERS; n++)
        expect(0, counters[n * 16] == should[n]);
}

static void run(void)
{
    pthread_t others[MOST];
    int numbers[MOST];

    turn = 0;
    memset(counters, 0, sizeof counters);
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
    free(bytes);
}

int main(int argc, char **argv)
{
    int first = argc > 2 ? atoi(argv[2]) : 1;
    int programs = argc > 3 ? atoi(argv[3]) : 1, found = 0, all = 0;

    threads = argc > 1 ? atoi(argv[1]) : 2;
    if (threads < 1 || threads > MOST)
        return 2;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int n = 0; n < programs; n++) {
        program = (uint32_t)(first + n);
        run();
    }
    for (int n = 0; n < threads; n++) {
        found += wrong[n];
        all += checked[n];
    }
    printf("random %d programs, %d values, %d wrong\n", programs, all, found);
    return found != 0;
}
