// MPI-IO: each rank writes its part, views, collective reads. run: -n 4
#include <mpi.h>
#include <stdio.h>
#define N 8

int main(int argc, char **argv)
{
    int rank, size, mine[N], got[N], wrong = 0;
    MPI_Datatype every;
    MPI_Offset bytes;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 0; n < N; n++)
        mine[n] = N * rank + n;
    MPI_File_open(MPI_COMM_WORLD, "/numbers",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, (MPI_Offset)sizeof mine * rank, mine, N,
                          MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &bytes);
    wrong += bytes != (MPI_Offset)sizeof mine * size;
    MPI_Type_vector(N, 1, size, MPI_INT, &every);
    MPI_Type_commit(&every);
    MPI_File_set_view(file, (MPI_Offset)sizeof(int) * rank, MPI_INT, every,
                      "native", MPI_INFO_NULL);
    MPI_File_read_all(file, got, N, MPI_INT, MPI_STATUS_IGNORE);
    for (int n = 0; n < N; n++)
        wrong += got[n] != size * n + rank;
    MPI_File_close(&file);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("files: %d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
