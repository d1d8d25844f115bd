// What master.c starts.
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Comm master;
    char where[64];
    int two[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&master);
    MPI_Comm_rank(MPI_COMM_WORLD, &two[0]);
    MPI_Comm_size(MPI_COMM_WORLD, &two[1]);
    two[0] *= atoi(argv[1]);
    MPI_Send(two, 2, MPI_INT, 0, 0, master);
    if (!getcwd(where, sizeof where))
        where[0] = 0;
    MPI_Send(where, sizeof where, MPI_CHAR, 0, 1, master);
    MPI_Comm_disconnect(&master);
    MPI_Finalize();
    return 0;
}
