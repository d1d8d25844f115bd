// The root is the number of ranks.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 7
// expect-stderr: MPI_Bcast failed at main \(root_of_nobody\.c:20\): no such root: 2 \(ranks are 0 to 1\)
// expect-stderr: hint: a root is a rank

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int ranks, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef MENDED
    ranks--;
#endif
    MPI_Bcast(&value, 1, MPI_INT, ranks, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
