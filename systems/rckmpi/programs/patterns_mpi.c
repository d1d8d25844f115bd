/*
 * patterns_mpi.c: what MPI calls cost, as SKaMPI measures it: each operation
 * is repeated between two barriers, and the slowest rank's time counts.
 * Arguments: channel, then items OPERATION:BYTES:REPETITIONS, behind blanks or
 * commas; operations are sendrecv, gather, scatter, bcast, barrier. One more
 * repetition in front is not timed: it is the first to touch the memory.
 *
 * sendrecv: ranks 0 and the last exchange a message each way, all others wait
 * in the next barrier, and so poll, as in SKaMPI's test of two out of all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#include "rckmpi.h"

static int rank, size, bytes;
static char *mine, *all;

static void do_sendrecv(void)
{
    int last = size - 1, peer = rank == 0 ? last : 0;

    if (rank != 0 && rank != last)
        return;
    MPI_Sendrecv(mine, bytes, MPI_CHAR, peer, 1, all, bytes, MPI_CHAR, peer, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void do_gather(void)
{
    MPI_Gather(mine, bytes, MPI_CHAR, all, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void do_scatter(void)
{
    MPI_Scatter(all, bytes, MPI_CHAR, mine, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void do_bcast(void)
{
    MPI_Bcast(mine, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void do_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
    int all; /* rank 0 has everybody's bytes */
} operations[] = {
    {"sendrecv", do_sendrecv, 0}, {"gather", do_gather, 1},
    {"scatter", do_scatter, 1},   {"bcast", do_bcast, 0},
    {"barrier", do_barrier, 0},
};
#define OPERATIONS (sizeof operations / sizeof *operations)

/* The slowest rank's seconds for one of so many repetitions. */
static double measure(void (*run)(void), int repetitions)
{
    double slowest, start;

    run();
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int n = 0; n < repetitions; n++)
        run();
    double own = (MPI_Wtime() - start) / repetitions;
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

/* One item; whether it makes sense. */
static int do_item(const char *item)
{
    char name[20];
    int repetitions;
    size_t chosen = 0;

    if (sscanf(item, "%19[^:]:%d:%d", name, &bytes, &repetitions) != 3 ||
        bytes < 0 || repetitions < 1)
        return 0;
    while (chosen < OPERATIONS && strcmp(operations[chosen].name, name) != 0)
        chosen++;
    if (chosen == OPERATIONS)
        return 0;
    mine = calloc(1, (size_t)bytes + 1);
    int parts = operations[chosen].all && rank == 0 ? size : 1;
    all = calloc((size_t)parts, (size_t)bytes + 1);
    double seconds = measure(operations[chosen].run, repetitions);
    free(mine);
    free(all);
    if (rank == 0)
        printf("%s by %s: %d ranks, %d bytes: %.2f us\n", name,
               rckmpi_channel(), size, bytes, seconds * 1e6);
    fflush(stdout);
    return 1;
}

int main(int argc, char **argv)
{
    int good = 1;

    if (argc > 1)
        setenv("RCKMPI_CHANNEL", argv[1], 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 2; n < argc && good; n++)
        for (char *item = strtok(argv[n], ","); item && good;
             item = strtok(NULL, ",")) {
            good = do_item(item);
            if (!good && rank == 0)
                fprintf(stderr,
                        "patterns_mpi: '%s' is not an item such as "
                        "gather:16384:2\n",
                        item);
        }
    MPI_Finalize();
    return good ? 0 : 64;
}
