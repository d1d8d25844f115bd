// The program ends without MPI_Finalize.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 1
// expect-stderr: the program ended without MPI_Finalize \(MPI_Init at main \(no_finalize\.c:15\)\)
// expect-stderr: hint: call MPI_Finalize on every way out

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    printf("rank %d\n", me);
#ifdef MENDED
    MPI_Finalize();
#endif
    return 0;
}
