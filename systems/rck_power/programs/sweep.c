/*
 * sweep.c: long sweeps over private memory and mixing of integers in turn.
 *
 * sweep GOAL [ROUNDS [PIECES]]: each round is PIECES pieces that add up an
 * array larger than L2, then as many that mix one word in registers.
 */
#include "goal.h"

#define WORDS (512u << 8)
#define PIECE 4096u
#define MIXES 6000

static unsigned array[WORDS];
static volatile unsigned result;

static void sweep(void)
{
    static unsigned at;
    unsigned sum = 0;

    for (unsigned i = 0; i < PIECE; i++)
        sum += array[at + i];
    at = (at + PIECE) % WORDS;
    result += sum;
}

static void mix(void)
{
    unsigned word = result | 1;

    for (int i = 0; i < MIXES; i++) {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
    }
    result = word;
}

int main(int argc, char **argv)
{
    struct goal goal;

    RCCE_init(&argc, &argv);
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    int pieces = argc > 3 ? atoi(argv[3]) : 100;
    for (unsigned i = 0; i < WORDS; i++)
        array[i] = i;
    if (argc < 2 || goal_start(&goal, argv[1]))
        return 1;
    for (int round = 0; round < rounds; round++)
        for (int piece = 0; piece < 2 * pieces; piece++) {
            if (piece < pieces)
                sweep();
            else
                mix();
            goal_tick(&goal, (round + piece / (2.0 * pieces)) / rounds);
        }
    goal_end(&goal, argv[1]);
    RCCE_finalize();
    return 0;
}
