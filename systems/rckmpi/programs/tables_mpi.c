/*
 * tables_mpi.c: what collectives cost over the size, as the OSU and Intel
 * benchmarks print it: microseconds of one call, of the fastest rank, of the
 * slowest and in the mean, each rank's own mean over the repetitions. Bytes are
 * those of one message: of a block in allgather and alltoall. Arguments: the
 * largest size, repetitions, then calls (all if none is named).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static char *out, *in;
static int rank, size;

static void barrier(int bytes)
{
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(int bytes)
{
    MPI_Bcast(out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void reduce(int bytes)
{
    MPI_Reduce(out, in, bytes / 4, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(int bytes)
{
    MPI_Allreduce(out, in, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(int bytes)
{
    MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static void alltoall(int bytes)
{
    MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*call)(int bytes);
    int smallest; /* 0: no sizes */
} calls[] = {
    {"barrier", barrier, 0},     {"bcast", bcast, 1},
    {"reduce", reduce, 4},       {"allreduce", allreduce, 4},
    {"allgather", allgather, 1}, {"alltoall", alltoall, 1},
};
#define CALLS (int)(sizeof calls / sizeof *calls)

static void measure(void (*call)(int bytes), int bytes, int repetitions)
{
    double start = 0, own, fastest, slowest, sum;

    MPI_Barrier(MPI_COMM_WORLD);
    for (int n = -1; n < repetitions; n++) {
        if (n == 0)
            start = MPI_Wtime();
        call(bytes);
    }
    own = (MPI_Wtime() - start) / repetitions * 1e6;
    MPI_Reduce(&own, &fastest, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%8d %12.2f %12.2f %12.2f\n", bytes, fastest, slowest,
               sum / size);
    fflush(stdout);
}

static int wanted(const char *name, int argc, char **argv)
{
    for (int n = 3; n < argc; n++)
        if (strcmp(argv[n], name) == 0)
            return 1;
    return argc <= 3;
}

static void print_table(int chosen, int largest, int repetitions)
{
    int bytes = calls[chosen].smallest;

    if (rank == 0)
        printf("\n# %s, %d ranks\n%8s %12s %12s %12s\n", calls[chosen].name,
               size, "bytes", "min us", "max us", "mean us");
    do {
        measure(calls[chosen].call, bytes, repetitions);
        bytes *= 4;
    } while (bytes && bytes <= largest);
}

static int known(int argc, char **argv)
{
    for (int n = 3; n < argc; n++) {
        int found = 0;
        for (int m = 0; m < CALLS; m++)
            found |= strcmp(calls[m].name, argv[n]) == 0;
        if (!found && rank == 0)
            fprintf(stderr,
                    "tables_mpi: unknown call '%s'; there are barrier, bcast, "
                    "reduce, allreduce, allgather, alltoall\n",
                    argv[n]);
        if (!found)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    int largest = argc > 1 ? atoi(argv[1]) : 4096;
    int repetitions = argc > 2 ? atoi(argv[2]) : 4, good;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    good = known(argc, argv);
    if (largest < 1 || repetitions < 1) {
        if (rank == 0)
            fprintf(stderr, "tables_mpi: the largest size and repetitions are "
                            "numbers from 1 on\n");
        good = 0;
    }
    out = calloc((size_t)size, good ? (size_t)largest : 1);
    in = calloc((size_t)size, good ? (size_t)largest : 1);
    for (int n = 0; good && n < CALLS; n++)
        if (wanted(calls[n].name, argc, argv))
            print_table(n, largest, repetitions);
    MPI_Finalize();
    return good ? 0 : 64;
}
