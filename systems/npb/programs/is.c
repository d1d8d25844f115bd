/*
 * IS: integer keys are ranked ten times, and known keys must get known ranks
 * [npb-1994, section 3.2.5]. Each core counts its part of the keys; counts
 * are added up over all cores.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "npb.h"

#include <stdlib.h>
#include <string.h>

#define SEED 314159265ull
#define ITERATIONS 10
#define TESTS 5

struct class {
    char name;
    int log_keys, log_range;
    int key[TESTS], rank[TESTS];
    /* What of the iteration's number is added to each rank: sign and less. */
    int sign[TESTS], less;
};

static const struct class classes[] = {
    {'S',
     16,
     11,
     {48427, 17148, 23627, 62548, 4431},
     {0, 18, 346, 64917, 65463},
     {1, 1, 1, -1, -1},
     0},
    {'W',
     20,
     16,
     {357773, 934767, 875723, 898999, 404505},
     {1249, 11698, 1039987, 1043896, 1048018},
     {1, 1, -1, -1, -1},
     2},
    {'A',
     23,
     19,
     {2112377, 662041, 5336171, 3642833, 4250760},
     {104, 17523, 123928, 8288932, 8388264},
     {1, 1, 1, -1, -1},
     1},
};

static const struct class *class;
static int keys, range, from, to;
static int *key, *count, *below;

/* A key is the sum of four uniform numbers, a quarter of the range each. */
static int next_key(uint64_t *state)
{
    double sum = 0;

    for (int n = 0; n < 4; n++)
        sum += npb_random(state);
    return (int)(sum * (range / 4));
}

static int key_at(int place)
{
    uint64_t state = npb_jump(SEED, 4 * (uint64_t)place);

    return next_key(&state);
}

static void rank_keys(int iteration)
{
    int other = iteration + ITERATIONS;

    if (from <= iteration && iteration < to)
        key[iteration - from] = iteration;
    if (from <= other && other < to)
        key[other - from] = range - iteration;
    memset(count, 0, (size_t)range * sizeof(int));
    for (int i = 0; i < to - from; i++)
        count[key[i]]++;
    RCCE_coll_allreduce((char *)count, (char *)below, range, RCCE_INT, RCCE_SUM,
                        RCCE_COMM_WORLD);
    for (int k = 1; k < range; k++)
        below[k] += below[k - 1];
}

/* How many of the known keys have the rank that they must have. */
static int verify(int iteration, const int *known)
{
    int passed = 0;

    for (int t = 0; t < TESTS; t++) {
        int rank = known[t] > 0 ? below[known[t] - 1] : 0;
        /* Ranks that go down do so by the whole number, but in class A. */
        bool whole = class->sign[t] < 0 && class->name == 'W';
        int step = iteration - (whole ? 0 : class->less);
        passed += rank == class->rank[t] + class->sign[t] * step;
    }
    return passed;
}

static int *make(int numbers)
{
    int *memory = calloc((size_t)numbers + 1, sizeof(int));

    if (!memory) {
        fprintf(stderr, "IS: core %d has no memory for class %c\n", RCCE_ue(),
                class->name);
        exit(1);
    }
    return memory;
}

static void make_keys(void)
{
    uint64_t state = npb_jump(SEED, 4 * (uint64_t)from);

    key = make(to - from);
    count = make(range);
    below = make(range);
    for (int i = from; i < to; i++)
        key[i - from] = next_key(&state);
}

int RCCE_APP(int argc, char **argv)
{
    int known[TESTS], passed = 0;

    RCCE_init(&argc, &argv);
    char name = npb_class(argc, argv, "SWA");
    if (!name)
        return 64;
    for (class = classes; class->name != name; class++)
        ;
    int cores = RCCE_num_ues(), me = RCCE_ue();
    keys = 1 << class->log_keys;
    range = 1 << class->log_range;
    from = npb_first(keys, cores, me);
    to = npb_first(keys, cores, me + 1);
    for (int t = 0; t < TESTS; t++)
        known[t] = key_at(class->key[t]);
    make_keys();
    rank_keys(1);
    RCCE_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    for (int i = 1; i <= ITERATIONS; i++) {
        rank_keys(i);
        passed += verify(i, known);
    }
    double seconds = RCCE_wtime() - start;
    bool right = passed == ITERATIONS * TESTS && below[range - 1] == keys;
    int code =
        npb_report("IS", name, (double)keys * ITERATIONS, seconds, right);
    RCCE_finalize();
    return code;
}
