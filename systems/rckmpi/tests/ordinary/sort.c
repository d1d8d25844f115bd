// Odd-even transposition sort of blocks. run: -n 4
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 64

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    int rank, size, mine[N], both[2 * N], wrong = 0, all[8 * N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    srand((unsigned)rank);
    for (int n = 0; n < N; n++)
        mine[n] = rand() % 1000;
    qsort(mine, N, sizeof *mine, compare);
    for (int step = 0; step < size; step++) {
        int peer = (step + rank) % 2 ? rank - 1 : rank + 1;
        if (peer < 0 || peer >= size)
            continue;
        MPI_Sendrecv(mine, N, MPI_INT, peer, step, both + N, N, MPI_INT, peer,
                     step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memcpy(both, mine, sizeof mine);
        qsort(both, 2 * N, sizeof *both, compare);
        memcpy(mine, both + (peer > rank ? 0 : N), sizeof mine);
    }
    MPI_Gather(mine, N, MPI_INT, all, N, MPI_INT, 0, MPI_COMM_WORLD);
    for (int n = 1; rank == 0 && n < size * N; n++)
        wrong += all[n - 1] > all[n];
    if (rank == 0)
        printf("sort: %d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
