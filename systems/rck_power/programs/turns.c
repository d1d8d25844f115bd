/*
 * turns.c: voltage domains that work in turn.
 *
 * turns GOAL [ROUNDS [PIECES]]: in each round the UEs of every second domain
 * multiply matrices while the others wait for them, and the other way round.
 */
#include "goal.h"

#include <stdio.h>

#define SIDE 12

/* All of the product counts: the compiler shall not leave any of it out. */
static volatile double c[SIDE][SIDE];
static double a[SIDE][SIDE], b[SIDE][SIDE];

/* Factors that no compiler knows. */
static void fill(int seed)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = seed + i;
            b[i][j] = seed - j;
        }
}

static void multiply(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double sum = 0;

            for (int k = 0; k < SIDE; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

int main(int argc, char **argv)
{
    struct goal goal;

    RCCE_init(&argc, &argv);
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    int pieces = argc > 3 ? atoi(argv[3]) : 30;
    fill(argc);
    multiply();
    if (argc < 2 || goal_start(&goal, argv[1]))
        return 1;
    int half = RCCE_power_domain() % 2;
    for (int turn = 0; turn < 2 * rounds; turn++) {
        for (int n = 0; turn % 2 == half && n < pieces; n++) {
            multiply();
            goal_tick(&goal, (turn + (double)n / pieces) / (2 * rounds));
        }
        goal_barrier(&goal);
    }
    goal_end(&goal, argv[1]);
    RCCE_finalize();
    return 0;
}
