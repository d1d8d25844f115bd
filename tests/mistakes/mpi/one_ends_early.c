// Rank 1 ends while rank 0 waits in the barrier.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 1
// expect-stderr: rank 1 \(core 01\): the program ended without MPI_Finalize
// expect-stderr: hint: call MPI_Finalize on every way out

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#ifndef MENDED
    if (me == 1)
        exit(3);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
