// The count of a message is less than 0.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 2
// expect-stderr: MPI_Send failed at main \(negative_count\.c:20\): the count is negative
// expect-stderr: hint: look at what computes the count

#include <mpi.h>
int main(int argc, char **argv)
{
    int me, value[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int count = me - 1;
#ifdef MENDED
    count = 1;
#endif
    if (me == 0)
        MPI_Send(value, count, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (me == 1)
        MPI_Recv(value, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
