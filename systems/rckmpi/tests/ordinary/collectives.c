// Collectives of all kinds, also the non-blocking ones. run: -n 5
#include <mpi.h>
#include <stdio.h>
#define MOST 8

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, all, mine[MOST], theirs[MOST * MOST];
    int counts[MOST], places[MOST], sum, prefix;
    MPI_Request requests[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 0; n < size; n++) {
        mine[n] = 10 * rank + n;
        counts[n] = n + 1;
        places[n] = n * (n + 1) / 2;
    }
    MPI_Alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    for (int n = 0; n < size; n++)
        wrong += theirs[n] != 10 * n + rank;
    MPI_Allgather(&rank, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    for (int n = 0; n < size; n++)
        wrong += theirs[n] != n;
    for (int n = 0; n <= rank; n++)
        mine[n] = rank;
    MPI_Allgatherv(mine, rank + 1, MPI_INT, theirs, counts, places, MPI_INT,
                   MPI_COMM_WORLD);
    for (int n = 0; n < size; n++)
        for (int i = 0; i <= n; i++)
            wrong += theirs[places[n] + i] != n;
    MPI_Scatterv(theirs, counts, places, MPI_INT, mine, rank + 1, MPI_INT, 0,
                 MPI_COMM_WORLD);
    wrong += mine[rank] != rank;
    MPI_Scan(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += prefix != rank * (rank + 1) / 2;
    prefix = 0;
    MPI_Exscan(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += rank > 0 && prefix != rank * (rank - 1) / 2;
    for (int n = 0; n < size; n++)
        mine[n] = n;
    MPI_Reduce_scatter_block(mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum != size * rank;
    struct {
        double value;
        int place;
    } own = {rank == 2 ? 99.5 : rank, rank}, most;
    MPI_Allreduce(&own, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    wrong += most.place != 2 || most.value != 99.5;
    int word = rank == 0 ? 42 : 0;
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD,
                   &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    wrong += word != 42 || sum != size - 1;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    all = wrong;
    if (rank == 0)
        printf("collectives: %d wrong\n", all);
    MPI_Finalize();
    return 0;
}
