// MPI_Comm_rank is called before MPI_Init.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 1
// expect-stderr: MPI_Comm_rank at main \(before_init\.c:16\): MPI_Init was not called before
// expect-stderr: hint: call MPI_Init first

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me;
#ifndef MENDED
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#endif
    MPI_Init(&argc, &argv);
#ifdef MENDED
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#endif
    printf("rank %d\n", me);
    MPI_Finalize();
    return 0;
}
