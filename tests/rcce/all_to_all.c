// Every UE sends to every other one; pairs meet in rounds of a tournament,
// so that no two wait for each other in a circle.
// run: -n 48 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// 2256 messages, sums right
#include "RCCE.h"

static int mine[25], theirs[25];

/* The partner of `me` in a round of a tournament of an even number. */
static int partner_of(int me, int round, int all)
{
    int turning = all - 1;
    if (me == turning)
        return round * (all / 2) % turning;
    int partner = (round + turning - me) % turning;
    return partner == me ? turning : partner;
}

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue(), all = RCCE_num_ues(), wrong = 0, messages = 0;

    for (int round = 0; round < all - 1; round++) {
        int partner = partner_of(me, round, all);
        for (int i = 0; i < 25; i++)
            mine[i] = 1000 * me + partner + i;
        for (int turn = 0; turn < 2; turn++) {
            if ((me < partner) == (turn == 0)) {
                RCCE_send((char *)mine, sizeof mine, partner);
                messages++;
            } else {
                RCCE_recv((char *)theirs, sizeof theirs, partner);
            }
        }
        for (int i = 0; i < 25; i++)
            wrong += theirs[i] != 1000 * partner + me + i;
    }
    int in[2] = {messages, wrong}, out[2];
    RCCE_reduce((char *)in, (char *)out, 2, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d messages, sums %s\n", out[0], out[1] ? "wrong" : "right");
    return RCCE_finalize();
}
