// Both ranks receive before they send.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 75
// expect-stderr: receive-ring: a ring of 2 receives
// expect-stderr: at main \(recvs_first\.c:23\)
// expect-stderr: hint: .*use MPI_Sendrecv or MPI_Irecv

#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int me, other, out, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
    out = me;
#ifdef MENDED
    MPI_Sendrecv(&out, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Recv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
