/*
 * exchange.c: computing, then messages to the neighbour, in turn.
 *
 * exchange GOAL [ROUNDS [PIECES]]: each round is PIECES pieces of
 * differences along a line, then as many messages round a ring.
 */
#include "goal.h"

#define CELLS 512
#define STEPS 8

static double line[CELLS + 2], next[CELLS + 2];
static char message[4096];

static void step(void)
{
    for (int n = 0; n < STEPS; n++) {
        for (int i = 1; i <= CELLS; i++)
            next[i] =
                line[i] + 0.25 * (line[i - 1] - 2 * line[i] + line[i + 1]);
        for (int i = 1; i <= CELLS; i++)
            line[i] = next[i];
    }
}

/* The even ones send first, so the number of UEs is to be even. */
static void exchange(void)
{
    int ue = RCCE_ue(), ues = RCCE_num_ues();
    int right = (ue + 1) % ues, left = (ue + ues - 1) % ues;

    for (int turn = 0; turn < 2; turn++)
        if (ue % 2 == turn)
            RCCE_send(message, sizeof message, right);
        else
            RCCE_recv(message, sizeof message, left);
}

int main(int argc, char **argv)
{
    struct goal goal;

    RCCE_init(&argc, &argv);
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    int pieces = argc > 3 ? atoi(argv[3]) : 50;
    line[CELLS / 2] = RCCE_ue() + 1;
    if (argc < 2 || RCCE_num_ues() % 2 || goal_start(&goal, argv[1]))
        return 1;
    for (int round = 0; round < rounds; round++)
        for (int piece = 0; piece < 2 * pieces; piece++) {
            if (piece < pieces)
                step();
            else
                exchange();
            goal_tick(&goal, (round + piece / (2.0 * pieces)) / rounds);
        }
    goal_end(&goal, argv[1]);
    RCCE_finalize();
    return 0;
}
