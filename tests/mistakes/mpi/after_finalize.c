// MPI_Barrier is called after MPI_Finalize.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 1
// expect-stderr: MPI_Barrier at main \(after_finalize\.c:21\): MPI_Finalize was called before
// expect-stderr: hint: call MPI_Finalize last

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me = 0;
    MPI_Init(&argc, &argv);
#ifdef MENDED
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
#else
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    printf("rank %d\n", me);
    return 0;
}
