// Rank 0 receives what rank 1 never sends.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 75
// expect-stderr: receive-without-sender: UE 0 receives from UE 1, which nobody sends: UE 1 ended
// expect-stderr: MPI_Recv of tag 3 in MPI_COMM_WORLD, at main \(recv_without_send\.c:23\)
// expect-stderr: hint: add the send, or take the receive out

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#ifdef MENDED
    if (me == 1)
        MPI_Send(&me, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
#endif
    if (me == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("got %d\n", value);
    }
    MPI_Finalize();
    return 0;
}
