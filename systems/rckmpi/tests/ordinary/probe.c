// Messages of unknown length and sender: probe, iprobe, mprobe; errors that
// return; cancel. run: -n 3
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, count, flag = 0;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        int *data = calloc(100, sizeof *data);
        MPI_Send(data, 10 * rank, MPI_INT, 0, rank, MPI_COMM_WORLD);
        MPI_Ssend(data, 20 * rank, MPI_INT, 0, 50, MPI_COMM_WORLD);
        free(data);
    }
    for (int n = 1; rank == 0 && n < size; n++) {
        MPI_Probe(n, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        int *data = malloc((size_t)count * sizeof *data);
        MPI_Recv(data, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG,
                 MPI_COMM_WORLD, &status);
        wrong += count != 10 * status.MPI_SOURCE || status.MPI_TAG != n;
        free(data);
    }
    for (int n = 1; rank == 0 && n < size; n++) {
        int data[40];
        MPI_Mprobe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        wrong += count != 20 * status.MPI_SOURCE;
        MPI_Mrecv(data, count, MPI_INT, &message, &status);
    }
    if (rank == 0) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        wrong += flag;
        MPI_Irecv(&count, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &flag);
        wrong += !flag;
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        int code = MPI_Send(&count, 1, MPI_INT, 77, 0, MPI_COMM_WORLD), class;
        MPI_Error_class(code, &class);
        wrong += class != MPI_ERR_RANK;
        printf("probe: %d wrong\n", wrong);
    }
    MPI_Finalize();
    return 0;
}
