// The program reads what MPI_Irecv receives without a wait.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 75
// expect-stderr: rank 1 \(core 01\): nobody waited for the request of MPI_Irecv at main \(no_wait\.c:24\)
// expect-stderr: hint: the buffer may be used when MPI_Wait returns
// expect-stderr: hint: wait for each request before MPI_Finalize

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, value = -1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        value = 5;
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (me == 1) {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#ifdef MENDED
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
        printf("got %d\n", value);
    }
    MPI_Finalize();
    return 0;
}
