/*
 * micro_mpi.c: latency, bandwidth one way and both ways, and the rate of
 * messages, between the first and the last rank, over the size, as the OSU
 * and Intel benchmarks measure them. All others wait in a barrier. Arguments:
 * the largest size, repetitions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define WINDOW 16 /* messages under way */
static char *out, *in;
static int rank, size, peer, acting;

/* Half of a message there and one back, microseconds. */
static double latency(int bytes, int repetitions)
{
    double start = 0;

    for (int n = -1; n < repetitions; n++) {
        if (n == 0)
            start = MPI_Wtime();
        if (rank == 0)
            MPI_Send(out, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (rank != 0)
            MPI_Send(out, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / repetitions / 2 * 1e6;
}

/* Windows of messages, each answered by one of no bytes; messages a second. */
static double rate(int bytes, int repetitions, int both)
{
    MPI_Request all[2 * WINDOW];
    double start = 0;

    for (int n = -1; n < repetitions; n++) {
        int count = 0;
        if (n == 0)
            start = MPI_Wtime();
        for (int m = 0; m < WINDOW && (both || rank != 0); m++)
            MPI_Irecv(in, bytes, MPI_CHAR, peer, 2, MPI_COMM_WORLD,
                      &all[count++]);
        for (int m = 0; m < WINDOW && (both || rank == 0); m++)
            MPI_Isend(out, bytes, MPI_CHAR, peer, 2, MPI_COMM_WORLD,
                      &all[count++]);
        MPI_Waitall(count, all, MPI_STATUSES_IGNORE);
        MPI_Sendrecv(out, 0, MPI_CHAR, peer, 3, in, 0, MPI_CHAR, peer, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    double messages = (both ? 2.0 : 1.0) * WINDOW * repetitions;
    return messages / (MPI_Wtime() - start);
}

int main(int argc, char **argv)
{
    int largest = argc > 1 ? atoi(argv[1]) : 65536;
    int repetitions = argc > 2 ? atoi(argv[2]) : 4;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peer = rank == 0 ? size - 1 : 0;
    acting = size > 1 && (rank == 0 || rank == size - 1);
    out = calloc(1, (size_t)largest + 1);
    in = calloc(1, (size_t)largest + 1);
    if (rank == 0)
        printf("%8s %10s %10s %10s %12s\n", "bytes", "us", "MB/s", "MB/s both",
               "messages/s");
    for (int bytes = 1; acting && bytes <= largest; bytes *= 4) {
        double us = latency(bytes, repetitions);
        double one = rate(bytes, repetitions, 0);
        double both = rate(bytes, repetitions, 1);
        if (rank == 0)
            printf("%8d %10.2f %10.2f %10.2f %12.0f\n", bytes, us,
                   one * bytes / 1e6, both * bytes / 1e6, one);
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
