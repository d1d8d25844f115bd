// Each rank names itself as the root of MPI_Bcast.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-stderr: collective calls of MPI_COMM_WORLD differ \(root [01] against [01]\)
// expect-stderr: at main \(bcast_of_many_roots\.c:20\)
// expect-stderr: hint: all ranks must name one root

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#ifdef MENDED
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
#else
    MPI_Bcast(&value, 1, MPI_INT, me, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
