// A type is used without MPI_Type_commit.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 3
// expect-stderr: failed at main \(type_not_committed\.c:\d+\): the datatype is not valid, or was not committed
// expect-stderr: hint: call MPI_Type_commit

#include <mpi.h>
int main(int argc, char **argv)
{
    int me, value[16] = {0};
    MPI_Datatype column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
#ifdef MENDED
    MPI_Type_commit(&column);
#endif
    if (me == 0)
        MPI_Send(value, 1, column, 1, 0, MPI_COMM_WORLD);
    if (me == 1)
        MPI_Recv(value, 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
