/*
 * A copy loop, word by word; the second argument is the size in KB of what
 * is copied. A store that misses allocates no line, so the target is read
 * once before, and both halves lie in L1 or in L2.
 */
#include "bench.h"

#define MAX_KB 4096

static uint32_t from[MAX_KB * 256], to[MAX_KB * 256];

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    unsigned kb = bench_argument(argc, argv, 2, 64);
    unsigned words = (kb < MAX_KB ? kb : MAX_KB) * 256, each = 16384 / words;
    uint32_t state = 1;

    for (unsigned i = 0; i < words; i++)
        wrong += (from[i] = bench_random(&state)) == to[i];
    for (unsigned round = 0; round < rounds; round++) {
        unsigned at = round * 61 % words;
        from[at] = round;
        for (unsigned copy = 0; copy < each + !each; copy++) {
            for (unsigned i = 0; i < words; i++)
                to[i] = from[i];
            bench_keep(to);
        }
        wrong += to[at] != round;
    }
    for (unsigned i = 0; i < words; i++)
        wrong += to[i] != from[i];
    return bench_verdict("copy", rounds, wrong);
}
