// Rows of a matrix are scattered, products gathered. run: -n 4
#include <mpi.h>
#include <stdio.h>
#define N 16

int main(int argc, char **argv)
{
    static int a[N][N], b[N][N], c[N][N], mine[N][N], product[N][N];
    int rank, size, wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = i + j;
                b[i][j] = i == j ? 2 : 0;
            }
    MPI_Scatter(a, N * N / size, MPI_INT, mine, N * N / size, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Bcast(b, N * N, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N / size; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                product[i][j] += mine[i][k] * b[k][j];
    MPI_Gather(product, N * N / size, MPI_INT, c, N * N / size, MPI_INT, 0,
               MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += c[i][j] != 2 * (i + j);
    if (rank == 0)
        printf("matmul: %d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
