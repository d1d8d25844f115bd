// Clocks: MPI_Wtime goes forward by what sleep says. run: -n 2
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, length, version, part;
    char name[MPI_MAX_PROCESSOR_NAME], text[MPI_MAX_LIBRARY_VERSION_STRING];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double start = MPI_Wtime();
    usleep(1000);
    double gone = MPI_Wtime() - start;
    MPI_Get_processor_name(name, &length);
    MPI_Get_version(&version, &part);
    MPI_Get_library_version(text, &length);
    if (rank == 1)
        printf("wtime: %s, MPI %d.%d on %s, tick below 1 us: %d\n",
               gone >= 1e-3 && gone < 2e-3 ? "fine" : "wrong", version, part,
               name, MPI_Wtick() < 1e-6);
    MPI_Finalize();
    return 0;
}
