/*
 * phases.c: computing and waiting for memory in turn.
 *
 * phases GOAL [ROUNDS [PIECES]]: each round is PIECES pieces of polynomials in
 * registers, then as many pieces of reading a table in shared memory, which is
 * uncached, and which all cores read at once.
 */
#include "goal.h"

#include <stdio.h>

#define TABLE (64u << 10)
#define LINE 32
#define TERMS 2500
#define READS 150

static t_vcharp table;
static volatile double result;
static volatile unsigned total;

static void compute(void)
{
    double x = 0.5, sum = 0;

    for (int i = 0; i < TERMS; i++) {
        sum = sum * x + 1.0;
        x = x * 0.999 + 0.0004;
    }
    result = sum;
}

static void read_table(void)
{
    static unsigned at;
    unsigned sum = 0;

    for (int i = 0; i < READS; i++) {
        sum += table[at];
        at = (at + LINE) % TABLE;
    }
    total += sum;
}

int main(int argc, char **argv)
{
    struct goal goal;

    RCCE_init(&argc, &argv);
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    int pieces = argc > 3 ? atoi(argv[3]) : 100;
    table = RCCE_shmalloc(TABLE);
    for (unsigned i = 0; table && i < TABLE; i += 4096)
        table[i] = 1;
    if (argc < 2 || !table || goal_start(&goal, argv[1]))
        return 1;
    for (int round = 0; round < rounds; round++)
        for (int piece = 0; piece < 2 * pieces; piece++) {
            if (piece < pieces)
                compute();
            else
                read_table();
            goal_tick(&goal, (round + piece / (2.0 * pieces)) / rounds);
        }
    goal_end(&goal, argv[1]);
    RCCE_finalize();
    return 0;
}
