/*
 * Gory RCCE: every core puts lines into the message buffer of its right
 * neighbour and sets a flag there; after as many shifts as there are cores
 * everybody has its own data again.
 */
#include "RCCE.h"

#include <string.h>

#define BYTES 128

int RCCE_APP(int argc, char **argv)
{
    char mine[BYTES], now[BYTES];
    RCCE_FLAG filled, taken;

    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues();
    int right = (me + 1) % ues, left = (me + ues - 1) % ues;
    t_vcharp buffer = RCCE_malloc(BYTES);
    RCCE_flag_alloc(&filled);
    RCCE_flag_alloc(&taken);
    for (int i = 0; i < BYTES; i++)
        mine[i] = (char)(me + i);
    memcpy(now, mine, BYTES);
    RCCE_flag_write(&taken, RCCE_FLAG_SET, left);
    RCCE_barrier(&RCCE_COMM_WORLD);

    double start = RCCE_wtime();
    for (int n = 0; n < ues; n++) {
        /* The neighbour's buffer is free. */
        RCCE_wait_until(taken, RCCE_FLAG_SET);
        RCCE_flag_write(&taken, RCCE_FLAG_UNSET, me);
        RCCE_put(buffer, (t_vcharp)now, BYTES, right);
        RCCE_flag_write(&filled, RCCE_FLAG_SET, right);
        RCCE_wait_until(filled, RCCE_FLAG_SET);
        RCCE_flag_write(&filled, RCCE_FLAG_UNSET, me);
        RCCE_get((t_vcharp)now, buffer, BYTES, me);
        RCCE_flag_write(&taken, RCCE_FLAG_SET, left);
        if (n == 0 && me == 0)
            printf("after one shift core 0 has the data of UE %d\n", now[0]);
    }
    double us = (RCCE_wtime() - start) / ues * 1e6;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        printf("after %d shifts it has %s, %.2f us a shift\n", ues,
               memcmp(now, mine, BYTES) ? "others'" : "its own", us);
    return RCCE_finalize();
}
