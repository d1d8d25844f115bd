// The last rank sends to the next one.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 6
// expect-stderr: rank 1 \(core 01\): MPI_Send failed at main \(send_to_nobody\.c:21\): no such rank: 2 \(ranks are 0 to 1\)
// expect-stderr: hint: look at the first and the last rank

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, ranks, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef MENDED
    if (me + 1 < ranks)
#endif
        MPI_Send(&me, 1, MPI_INT, me + 1, 0, MPI_COMM_WORLD);
    if (me > 0)
        MPI_Recv(&value, 1, MPI_INT, me - 1, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
