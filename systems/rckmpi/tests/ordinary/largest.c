// A message of 2 MB by rendezvous, to oneself and to others. run: -n 2
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define WORDS (512 * 1024)

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    int *out = malloc(WORDS * sizeof *out), *in = calloc(WORDS, sizeof *in);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int n = 0; n < WORDS; n++)
        out[n] = n * (rank + 1);
    MPI_Sendrecv(out, WORDS, MPI_INT, 1 - rank, 0, in, WORDS, MPI_INT, 1 - rank,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int n = 0; n < WORDS; n++)
        wrong += in[n] != n * (2 - rank);
    MPI_Sendrecv(out, WORDS, MPI_INT, rank, 1, in, WORDS, MPI_INT, rank, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wrong += in[WORDS - 1] != (WORDS - 1) * (rank + 1);
    if (rank == 0)
        printf("largest: %d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
