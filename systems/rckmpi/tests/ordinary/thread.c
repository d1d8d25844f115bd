// Which level of threads there is. run: -n 2
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, provided, level, flag;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&flag);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("thread: %s, %d\n",
               provided == MPI_THREAD_SINGLE && level == provided ? "single"
                                                                  : "more",
               flag);
    MPI_Finalize();
    MPI_Finalized(&flag);
    return !flag;
}
