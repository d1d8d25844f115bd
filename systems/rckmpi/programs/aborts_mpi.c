/*
 * aborts_mpi.c: rank 1 gives up (argument: abort, exit or die) while all
 * others wait for it.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "abort";
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == 1 && strcmp(how, "exit") == 0)
        exit(0);
    if (rank == 1)
        raise(SIGSEGV);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
