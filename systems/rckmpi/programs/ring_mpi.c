/*
 * ring_mpi.c: a block of numbers goes round the ring of all ranks, and each
 * adds one to each number. Arguments: numbers, rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static void receive(int *block, int numbers, int from, int tag)
{
    MPI_Recv(block, numbers, MPI_INT, from, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, numbers = argc > 1 ? atoi(argv[1]) : 1000;
    int rounds = argc > 2 ? atoi(argv[2]) : 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *block = calloc((size_t)numbers, sizeof *block);
    int *got = calloc((size_t)numbers, sizeof *got);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    for (int round = 0; round < rounds; round++) {
        if (rank > 0)
            receive(block, numbers, left, round);
        for (int n = 0; n < numbers; n++)
            block[n]++;
        MPI_Request request;
        MPI_Isend(block, numbers, MPI_INT, right, round, MPI_COMM_WORLD,
                  &request);
        if (rank == 0)
            receive(got, numbers, left, round);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 0)
            memcpy(block, got, (size_t)numbers * sizeof *block);
    }
    int wrong = 0;
    for (int n = 0; n < numbers; n++)
        wrong += block[n] != rounds * size;
    if (rank == 0)
        printf("%d numbers, %d rounds of %d ranks: %d wrong\n", numbers, rounds,
               size, wrong);
    MPI_Finalize();
    return rank == 0 && wrong;
}
