// A master hands tasks to whoever asks. run: -n 4
#include <mpi.h>
#include <stdio.h>
#define TASKS 40

int main(int argc, char **argv)
{
    int rank, size, sum = 0, result, none = -1;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        int next = 0, busy = size - 1;
        while (busy > 0) {
            MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                     MPI_COMM_WORLD, &status);
            sum += result;
            if (next == TASKS)
                busy--;
            MPI_Send(next < TASKS ? &next : &none, 1, MPI_INT,
                     status.MPI_SOURCE, 0, MPI_COMM_WORLD);
            next += next < TASKS;
        }
        printf("farm: %d\n", sum);
    } else {
        int task = 0;
        for (result = 0; task >= 0; result = task * task) {
            MPI_Send(&result, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
            MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        }
    }
    MPI_Finalize();
    return 0;
}
