/*
 * Pointer chase: one random cycle through all lines of a buffer; the second
 * argument is its size in KB. Nothing but loads that wait for each other.
 */
#include "bench.h"

#define LINE 32
#define MAX_LINES 131072 /* 4 MB */
#define STEPS 131072     /* a round, a whole number of times around */

static struct line {
    struct line *next;
    char rest[LINE - sizeof(struct line *)];
} line[MAX_LINES];
static uint32_t order[MAX_LINES];

/* Sattolo's shuffle: a permutation of one cycle. */
static void link_lines(unsigned lines)
{
    uint32_t state = 1;

    for (unsigned i = 0; i < lines; i++)
        order[i] = i;
    for (unsigned i = lines - 1; i > 0; i--) {
        unsigned j = bench_random(&state) % i;
        uint32_t other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    for (unsigned i = 0; i < lines; i++)
        line[order[i]].next = &line[order[(i + 1) % lines]];
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    unsigned lines = 2, kb = bench_argument(argc, argv, 2, 8);

    while (lines < MAX_LINES && lines * LINE < kb * 1024)
        lines *= 2;
    link_lines(lines);
    struct line *at = line;
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned step = 0; step < STEPS; step += 8) {
            at = at->next->next->next->next;
            at = at->next->next->next->next;
        }
        wrong += at != line;
    }
    return bench_verdict("chase", rounds, wrong);
}
