/*
 * IS, the integer sort of the NAS parallel benchmarks, class S, written
 * anew: 65,536 keys below 2,048 are ranked ten times, and known keys must get
 * known ranks [npb-1994]. Each core counts its part of the keys; the counts
 * are added up from message buffer to message buffer.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"

#include <stdint.h>
#include <string.h>

#define KEYS 65536
#define MAX_KEY 2048
#define ITERATIONS 10
#define TESTS 5

/* x' = 5^13 x modulo 2^46, from x = 314159265. */
#define SEED 314159265ull
#define FACTOR 1220703125ull
#define MASK ((1ull << 46) - 1)

static const int test_key[TESTS] = {48427, 17148, 23627, 62548, 4431};
static const int test_rank[TESTS] = {0, 18, 346, 64917, 65463};

static int key[KEYS];
static int count[MAX_KEY], below[MAX_KEY];

/* The generator, `steps` further. */
static uint64_t jump(uint64_t x, uint64_t steps)
{
    for (uint64_t a = FACTOR; steps; steps >>= 1, a = a * a & MASK)
        if (steps & 1)
            x = x * a & MASK;
    return x;
}

/* A key is the sum of four uniform numbers, a quarter of the range each. */
static void make_keys(int from, int to)
{
    uint64_t x = jump(SEED, 4ull * (uint64_t)from);

    for (int i = from; i < to; i++) {
        uint64_t sum = 0;
        for (int n = 0; n < 4; n++) {
            x = x * FACTOR & MASK;
            sum += x;
        }
        key[i] = (int)(sum * (MAX_KEY / 4) >> 46);
    }
}

static void make_test_keys(int *keys)
{
    for (int t = 0; t < TESTS; t++) {
        make_keys(test_key[t], test_key[t] + 1);
        keys[t] = key[test_key[t]];
    }
}

static void rank_keys(int iteration, int from, int to)
{
    memset(count, 0, sizeof count);
    if (from <= iteration && iteration < to)
        key[iteration] = iteration;
    int other = iteration + ITERATIONS;
    if (from <= other && other < to)
        key[other] = MAX_KEY - iteration;
    for (int i = from; i < to; i++)
        count[key[i]]++;
    RCCE_coll_allreduce((char *)count, (char *)below, MAX_KEY, RCCE_INT,
                        RCCE_SUM, RCCE_COMM_WORLD);
    for (int k = 1; k < MAX_KEY; k++)
        below[k] += below[k - 1];
}

/* How many of the known keys have the rank that they must have. */
static int verify(int iteration, const int *keys)
{
    int passed = 0;

    for (int t = 0; t < TESTS; t++) {
        int rank = keys[t] > 0 ? below[keys[t] - 1] : 0;
        passed += rank == test_rank[t] + (t <= 2 ? iteration : -iteration);
    }
    return passed;
}

int RCCE_APP(int argc, char **argv)
{
    int keys[TESTS], passed = 0;

    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues();
    int from = KEYS / ues * me, to = me == ues - 1 ? KEYS : from + KEYS / ues;
    make_test_keys(keys);
    make_keys(from, to);
    RCCE_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    for (int i = 1; i <= ITERATIONS; i++) {
        rank_keys(i, from, to);
        passed += verify(i, keys);
    }
    double seconds = RCCE_wtime() - start;
    if (me == 0) {
        printf("IS class S on %d cores: %d of %d ranks right, %s\n", ues,
               passed, ITERATIONS * TESTS,
               passed == ITERATIONS * TESTS && below[MAX_KEY - 1] == KEYS
                   ? "verification successful"
                   : "verification FAILED");
        printf("%.2f million keys a second\n",
               KEYS / seconds * ITERATIONS / 1e6);
    }
    return RCCE_finalize();
}
