/*
 * Every core has a block for every other: a transposed matrix of blocks,
 * once by RCCE's pairs of messages and once from message buffer to message
 * buffer.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"

#define WORDS 32

static int in[RCCE_MAXNP][WORDS], out[RCCE_MAXNP][WORDS];

static int check(int me, int ues)
{
    int wrong = 0;

    for (int ue = 0; ue < ues; ue++)
        for (int i = 0; i < WORDS; i++)
            wrong += out[ue][i] != ue * 1000 + me * 20 + i;
    return wrong;
}

static double run(enum RCCE_coll_algorithm how)
{
    RCCE_coll_force(RCCE_COLL_ALLTOALL, how);
    RCCE_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    RCCE_coll_alltoall((char *)in, (char *)out, sizeof in[0], RCCE_COMM_WORLD);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return (RCCE_wtime() - start) * 1e6;
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues(), sum;
    for (int ue = 0; ue < ues; ue++)
        for (int i = 0; i < WORDS; i++)
            in[ue][i] = me * 1000 + ue * 20 + i;
    double pairs = run(RCCE_COLL_SIMPLE);
    int wrong = check(me, ues);
    double direct = run(RCCE_COLL_DIRECT);
    wrong += check(me, ues);
    RCCE_reduce((char *)&wrong, (char *)&sum, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0) {
        printf("%d x %d blocks of %d bytes, %d words wrong\n", ues, ues,
               (int)sizeof in[0], sum);
        printf("pairs of messages %.1f us, buffer to buffer %.1f us\n", pairs,
               direct);
    }
    return RCCE_finalize();
}
