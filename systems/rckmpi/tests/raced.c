/*
 * raced.c: rank 0 writes numbers into memory that all cores share, rank 1 reads
 * them; with an argument there is a barrier of MPI in between, without it
 * nothing orders the two. The checker knows MPI's own words, and this one.
 */
#include <stdio.h>
#include <unistd.h>

#include <mpi.h>

#include "scc/map.h"

#define BYTES 4096
#define NUMBERS 16

int main(int argc, char **argv)
{
    int rank, sum = 0;
    volatile int *shared = scc_map(SCC_UNCACHED, SCC_SHARED_BASE, BYTES);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!shared)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int n = 0; rank == 0 && n < NUMBERS; n++)
        shared[n] = 0x100 + n;
    if (argc > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (rank == 1)
        usleep(2000);
    for (int n = 0; rank == 1 && n < NUMBERS; n++)
        sum += shared[n];
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
