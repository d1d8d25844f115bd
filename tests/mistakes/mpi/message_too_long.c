// The receive has room for half of the message.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 14
// expect-stderr: rank 1 \(core 01\): MPI_Recv failed at main \(message_too_long\.c:24\): a message is longer than the buffer
// expect-stderr: hint: give the receive at least the count and type of the send

#include <mpi.h>
#include <stdio.h>
#ifdef MENDED
enum { ROOM = 20 };
#else
enum { ROOM = 10 };
#endif
int main(int argc, char **argv)
{
    int me, sent[20] = {1}, got[20];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0)
        MPI_Send(sent, 20, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (me == 1)
        MPI_Recv(got, ROOM, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
