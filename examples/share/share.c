/*
 * All cores read and write one table in shared memory: each its own rows,
 * then everybody reads everything. Uncached shared memory is never stale.
 */
#include "RCCE.h"

#define COLUMNS 64

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues(), sum = 0, total = 0;
    volatile int *table =
        (volatile int *)RCCE_shmalloc(sizeof(int) * COLUMNS * (size_t)ues);
    for (int i = 0; i < COLUMNS; i++)
        table[me * COLUMNS + i] = me + 1;
    RCCE_barrier(&RCCE_COMM_WORLD);

    double start = RCCE_wtime();
    for (int i = 0; i < ues * COLUMNS; i++)
        sum += table[i];
    double us = (RCCE_wtime() - start) * 1e6;
    RCCE_reduce((char *)&sum, (char *)&total, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0) {
        printf("%d cores read %d words each, sum %d\n", ues, ues * COLUMNS,
               total);
        printf("%.3f us a word\n", us / (ues * COLUMNS));
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_shfree((t_vcharp)table);
    return RCCE_finalize();
}
