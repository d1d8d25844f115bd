// The receive has no buffer.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 1
// expect-stderr: MPI_Recv failed at main \(null_buffer\.c:25\): a buffer is missing
// expect-stderr: hint: pass memory

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int me, *value = NULL, room;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#ifdef MENDED
    value = &room;
#endif
    if (me == 0) {
        room = 4;
        MPI_Send(&room, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (me == 1)
        MPI_Recv(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
