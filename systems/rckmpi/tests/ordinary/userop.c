// An operation of one's own, which does not commute, on a type of one's own:
// products of 2x2 matrices, in the order of ranks. run: -n 4
#include <mpi.h>
#include <stdio.h>

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int n = 0; n < *count; n++) {
        int *a = (int *)in + 4 * n, *b = (int *)inout + 4 * n;
        int c[] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                   a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        for (int i = 0; i < 4; i++)
            b[i] = c[i];
    }
}

int main(int argc, char **argv)
{
    int rank, size, result[4];
    MPI_Datatype matrix;
    MPI_Op product;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine[] = {rank + 1, 1, 1, 0}, expected[] = {1, 0, 0, 1};
    MPI_Type_contiguous(4, MPI_INT, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &product);
    MPI_Allreduce(mine, result, 1, matrix, product, MPI_COMM_WORLD);
    for (int n = size; n > 0; n--) {
        int one = 1, left[] = {n, 1, 1, 0};
        multiply(left, expected, &one, NULL);
    }
    int wrong = 0;
    for (int n = 0; n < 4; n++)
        wrong += result[n] != expected[n];
    if (rank == 0)
        printf("userop: %d wrong\n", wrong);
    MPI_Op_free(&product);
    MPI_Finalize();
    return 0;
}
