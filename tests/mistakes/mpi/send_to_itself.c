// A rank sends to itself before it receives.
// cc: -O1 -g
// mpi: yes
// run: -n 1
// expect-exit: 15
// expect-stderr: MPI_Send failed at main \(send_to_itself\.c:19\): the message goes to the rank itself, which has not begun to receive it
// expect-stderr: hint: begin the receive first \(MPI_Irecv\), or call MPI_Sendrecv

#include <mpi.h>

int main(int argc, char **argv)
{
    static int out[65536], in[65536];
    MPI_Init(&argc, &argv);
#ifdef MENDED
    MPI_Sendrecv(out, 65536, MPI_INT, 0, 0, in, 65536, MPI_INT, 0, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Send(out, 65536, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(in, 65536, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return in[0];
}
