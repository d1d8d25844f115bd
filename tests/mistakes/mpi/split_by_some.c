// MPI_Comm_split is called by the ranks alone that want the new communicator.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 75
// expect-stderr: rank 0 \(core 00\): MPI_Comm_split at main \(split_by_some\.c:21\) was not called by rank 1
// expect-stderr: hint: all ranks must make the same collective calls, in one order

#include <mpi.h>

int main(int argc, char **argv)
{
    int me;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#ifdef MENDED
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
#else
    if (me % 2 == 0)
        MPI_Comm_split(MPI_COMM_WORLD, 0, me, &half);
#endif
    MPI_Finalize();
    return 0;
}
