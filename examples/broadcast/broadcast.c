/*
 * One core sends a message to all others, in RCCE's way and down a tree of message
 * buffers; which one the library takes by itself is in its table.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"

#include <string.h>

static char data[2048];

static double run(enum RCCE_coll_algorithm how, int size)
{
    RCCE_coll_force(RCCE_COLL_BCAST, how);
    RCCE_coll_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    RCCE_coll_bcast(data, (size_t)size, 0, RCCE_COMM_WORLD);
    RCCE_coll_barrier(&RCCE_COMM_WORLD);
    return (RCCE_wtime() - start) * 1e6;
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues(), right, all = 0;
    memset(data, me == 0 ? 'x' : 0, sizeof data);
    if (me == 0)
        RCCE_coll_print_table(stdout);
    for (int size = 32; size <= (int)sizeof data; size *= 8) {
        double simple = run(RCCE_COLL_SIMPLE, size);
        double tree = run(RCCE_COLL_TREE, size);
        if (me == 0)
            printf("%4d bytes to %d cores: RCCE %8.1f us, tree %6.1f us\n",
                   size, ues, simple, tree);
    }
    right = data[sizeof data - 1] == 'x';
    RCCE_reduce((char *)&right, (char *)&all, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d cores have the data\n", all);
    return RCCE_finalize();
}
