// Requests that are started again and again, buffered and ready sends, a
// request that may end in any order. run: -n 2
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, out = 0, in = -1, wrong = 0, which, bytes;
    MPI_Request pair[2], two[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send_init(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &pair[0]);
    MPI_Recv_init(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &pair[1]);
    for (int n = 0; n < 20; n++) {
        out = 100 * rank + n;
        MPI_Startall(2, pair);
        MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
        wrong += in != 100 * (1 - rank) + n;
    }
    MPI_Request_free(&pair[0]);
    MPI_Request_free(&pair[1]);
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &bytes);
    bytes += MPI_BSEND_OVERHEAD;
    void *room = malloc((size_t)bytes);
    MPI_Buffer_attach(room, bytes);
    MPI_Bsend(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wrong += in != 1 - rank;
    MPI_Buffer_detach(&room, &bytes);
    free(room);
    int first, second;
    MPI_Irecv(&first, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &two[0]);
    MPI_Irecv(&second, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &two[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(&rank, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
    MPI_Waitany(2, two, &which, MPI_STATUS_IGNORE);
    wrong += which != 1;
    MPI_Rsend(&rank, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD);
    MPI_Waitany(2, two, &which, MPI_STATUS_IGNORE);
    wrong += which != 0;
    MPI_Reduce(rank ? &wrong : MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, 0,
               MPI_COMM_WORLD);
    if (rank == 0)
        printf("persistent: %d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
