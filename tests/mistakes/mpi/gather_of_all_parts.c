// MPI_Gather is given the number of elements of all parts, where it takes that of one.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 0
// expect-stderr: MPI_Gather at main \(gather_of_all_parts\.c:22\) sends 8 bytes to a rank, and receives 16 bytes from one
// expect-stderr: hint: both counts are those of one rank's part, not of all parts together

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, all[8] = {0}, part[2] = {1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#ifdef MENDED
    int count = 2;
#else
    int count = 4;
#endif
    MPI_Gather(part, 2, MPI_INT, all, count, MPI_INT, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%d\n", all[3]);
    MPI_Finalize();
    return 0;
}
