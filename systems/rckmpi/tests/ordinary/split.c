// Communicators: split, dup, groups, an inter-communicator. run: -n 6
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, half_rank, half_size, wrong = 0, all, sum, remote;
    MPI_Comm half, copy, odd, between, whole;
    MPI_Group world, odds;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &half_rank);
    MPI_Comm_size(half, &half_size);
    wrong += half_size != 3 || half_rank != (size - 1 - rank) / 2;
    MPI_Comm_dup(half, &copy);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    wrong += sum != (rank % 2 ? 9 : 6);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int list[] = {1, 3, 5};
    MPI_Group_incl(world, 3, list, &odds);
    MPI_Comm_create(MPI_COMM_WORLD, odds, &odd);
    wrong += (odd == MPI_COMM_NULL) != (rank % 2 == 0);
    /* Leaders: the highest rank of each half. */
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 4 : 5, 9,
                         &between);
    MPI_Comm_remote_size(between, &remote);
    wrong += remote != 3;
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, half_rank, 1, &got, 1, MPI_INT, half_rank,
                 1, between, MPI_STATUS_IGNORE);
    wrong += got != (rank ^ 1);
    MPI_Intercomm_merge(between, rank % 2, &whole);
    MPI_Comm_size(whole, &sum);
    wrong += sum != size;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("split: %d wrong\n", all);
    MPI_Finalize();
    return 0;
}
