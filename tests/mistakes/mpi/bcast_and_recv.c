// The root calls MPI_Bcast, the others MPI_Recv.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 75
// expect-stderr: receive-without-sender: UE 1 receives from UE 0, which nobody sends: UE 0 waits in MPI_Finalize
// expect-stderr: hint: .*what MPI_Bcast and the like send is received by that call alone

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        value = 42;
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
#ifdef MENDED
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
#else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Finalize();
    return 0;
}
