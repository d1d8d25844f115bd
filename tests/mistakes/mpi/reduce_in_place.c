// MPI_Reduce sends from and receives into one variable.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 1
// expect-stderr: MPI_Reduce failed at main \(reduce_in_place\.c:21\): the buffers to send from and to receive into are the same
// expect-stderr: hint: pass MPI_IN_PLACE

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, sum, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    sum = me + 1;
#ifdef MENDED
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#else
    MPI_Reduce(&sum, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#endif
    if (me == 0)
        printf("sum %d\n", sum + all);
    MPI_Finalize();
    return 0;
}
