/*
 * Every core streams through its DRAM: a triad of integers over three
 * vectors of 128 KB, half as much again as L2 holds.
 */
#include "bench.h"

#define WORDS 32768

static uint32_t a[WORDS], b[WORDS], c[WORDS];

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;

    for (uint32_t i = 0; i < WORDS; i++) {
        b[i] = i;
        c[i] = 2 * i + 1;
    }
    for (uint32_t round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < WORDS; i++)
            a[i] = b[i] + round * c[i];
        bench_keep(a);
        uint32_t at = round * 8191u % WORDS;
        wrong += a[at] != at + round * (2 * at + 1);
    }
    return bench_verdict("stream", rounds, wrong);
}
