// Both ranks send a large message before they receive.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 75
// expect-stderr: send-ring: a ring of 2 sends
// expect-stderr: MPI_Send of tag 0 in MPI_COMM_WORLD, at main \(two_sends_first\.c:25\)
// expect-stderr: hint: MPI_Send of a large message returns when it is received.*MPI_Sendrecv

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 200000 };
static int out[N], in[N];
int main(int argc, char **argv)
{
    int me, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
#ifdef MENDED
    MPI_Sendrecv(out, N, MPI_INT, other, 0, in, N, MPI_INT, other, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Send(out, N, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Recv(in, N, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
