/*
 * EP, the embarrassingly parallel kernel of the NAS parallel benchmarks,
 * written anew: pairs of uniform numbers become normal deviates, which are
 * counted by size and added up [npb-1994]. The argument is the logarithm of
 * the number of pairs: 24 is class S, 25 class W, 28 class A.
 */
#include "RCCE.h"

#include "bench.h"

#include <math.h>

#define SEED 271828183ull
#define FACTOR 1220703125ull /* 5^13 */
#define MASK ((1ull << 46) - 1)
#define ANNULI 10
#define TOLERANCE 1e-8

struct sums {
    double x, y, count[ANNULI];
};

static const struct {
    unsigned log2_pairs;
    double x, y;
} published[] = {
    {24, -3.247834652034740e3, -6.958407078382297e3},
    {25, -2.863319731645753e3, -6.320053679109499e3},
    {28, -4.295875165629892e3, -1.580732573678431e4},
};

/* The generator, `steps` further. */
static uint64_t jump(uint64_t x, uint64_t steps)
{
    for (uint64_t a = FACTOR; steps; steps >>= 1, a = a * a & MASK)
        if (steps & 1)
            x = x * a & MASK;
    return x;
}

static double uniform(uint64_t *x)
{
    *x = *x * FACTOR & MASK;
    return 2 * ((double)*x / (double)(MASK + 1)) - 1;
}

/* Marsaglia's polar method over the pairs from `from` to `to`. */
static struct sums deviates(uint32_t from, uint32_t to)
{
    struct sums sums = {0};
    uint64_t state = jump(SEED, 2ull * from);

    for (uint32_t pair = from; pair < to; pair++) {
        double x = uniform(&state), y = uniform(&state), t = x * x + y * y;
        if (t > 1)
            continue;
        double scale = sqrt(-2 * log(t) / t);
        x *= scale;
        y *= scale;
        double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
        sums.count[(int)larger]++;
        sums.x += x;
        sums.y += y;
    }
    return sums;
}

static unsigned far_from(double value, double expected)
{
    return !(fabs(value - expected) <= TOLERANCE * fabs(expected));
}

/* Against the published sums; other sizes against one core's own. */
static unsigned verify(const struct sums *total, unsigned log2_pairs)
{
    for (unsigned i = 0; i < sizeof published / sizeof published[0]; i++)
        if (published[i].log2_pairs == log2_pairs)
            return far_from(total->x, published[i].x) +
                   far_from(total->y, published[i].y);
    struct sums own = deviates(0, 1u << log2_pairs);
    unsigned wrong = far_from(total->x, own.x) + far_from(total->y, own.y);
    for (int i = 0; i < ANNULI; i++)
        wrong += total->count[i] != own.count[i];
    return wrong;
}

int RCCE_APP(int argc, char **argv)
{
    struct sums mine, total;
    unsigned wrong = 0;

    RCCE_init(&argc, &argv);
    unsigned log2_pairs = bench_argument(argc, argv, 1, 16);
    uint64_t pairs = 1ull << log2_pairs;
    uint64_t me = (uint64_t)RCCE_ue(), ues = (uint64_t)RCCE_num_ues();
    mine = deviates((uint32_t)(pairs * me / ues),
                    (uint32_t)(pairs * (me + 1) / ues));
    RCCE_allreduce((char *)&mine, (char *)&total, sizeof mine / sizeof mine.x,
                   RCCE_DOUBLE, RCCE_SUM, RCCE_COMM_WORLD);
    if (me == 0)
        wrong = verify(&total, log2_pairs);
    RCCE_finalize();
    return bench_verdict("npb_ep", log2_pairs, wrong);
}
