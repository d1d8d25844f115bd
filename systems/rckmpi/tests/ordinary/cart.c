// A torus: coordinates, shifts, rows as communicators, neighbours'
// collectives. run: -n 6
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, dims[2] = {0, 0}, wrap[2] = {1, 1}, at[2], left, right;
    int got = -1, sum, four[4], wrong = 0, all;
    MPI_Comm torus, row;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wrap, 0, &torus);
    MPI_Comm_rank(torus, &rank);
    MPI_Cart_coords(torus, rank, 2, at);
    MPI_Cart_shift(torus, 1, 1, &left, &right);
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, torus,
                 MPI_STATUS_IGNORE);
    wrong += got != left;
    int keep[2] = {0, 1};
    MPI_Cart_sub(torus, keep, &row);
    MPI_Allreduce(&at[1], &sum, 1, MPI_INT, MPI_SUM, row);
    wrong += sum != dims[1] * (dims[1] - 1) / 2;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, four, 1, MPI_INT, torus);
    wrong += four[2] != left || four[3] != right;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, torus);
    if (rank == 0)
        printf("cart: %dx%d, %d wrong\n", dims[0], dims[1], all);
    MPI_Comm_free(&row);
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return 0;
}
