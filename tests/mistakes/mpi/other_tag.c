// The receive names another tag than the send.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 75
// expect-stderr: unequal-tags: UE 1 receives tag 8 from UE 0, which sends tag 7: MPI_Send at main \(other_tag\.c:22\)
// expect-stderr: hint: give send and receive one tag

#include <mpi.h>
#include <stdio.h>
#ifdef MENDED
enum { TAG = 7 };
#else
enum { TAG = 8 };
#endif
int main(int argc, char **argv)
{
    int me, value = 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    else if (me == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
