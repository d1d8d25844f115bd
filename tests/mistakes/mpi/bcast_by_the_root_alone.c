// The root alone calls MPI_Bcast, and the other rank is in the barrier behind it.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-stderr: collective calls of MPI_COMM_WORLD differ \(MPI_B\w+ against MPI_B\w+\)
// expect-stderr: MPI_Bcast at main \(bcast_by_the_root_alone\.c:22\)
// expect-stderr: hint: all ranks must make the same collective calls, in one order

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0)
        value = 42;
#ifndef MENDED
    if (me == 0)
#endif
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
