// The receive names a smaller type than the send.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 14
// expect-stderr: rank 1 \(core 01\): MPI_Recv at main \(other_type\.c:28\) receives another type than rank 0 sends \(MPI_Send at main \(other_type\.c:26\)\)
// expect-stderr: hint: give send and receive one datatype

#include <mpi.h>
#include <stdio.h>
#ifdef MENDED
#define TYPE MPI_DOUBLE
typedef double number;
#else
#define TYPE MPI_FLOAT
typedef float number;
#endif
int main(int argc, char **argv)
{
    int me;
    double sent = 2.5;
    number got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0)
        MPI_Send(&sent, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (me == 1)
        MPI_Recv(&got, 1, TYPE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
