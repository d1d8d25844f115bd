/*
 * patterns_mpi.c: what MPI calls cost, as SKaMPI measures it: all ranks begin
 * each repetition at the same instant, and the slowest rank's time counts.
 * Arguments: channel, then items OPERATION:BYTES:REPETITIONS, behind blanks or
 * commas; operations are sendrecv, gather, scatter, bcast, barrier. One more
 * repetition in front is not timed: it is the first to touch the memory.
 *
 * sendrecv: ranks 0 and the last exchange a message each way, all others wait
 * in the reduction behind it, and so poll, as in SKaMPI's test of two out of
 * all.
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

/* Rank 0's clock is ahead of the own one by that much: a message there and
 * back shows, the fastest of a few. */
static double ahead;

static void compare_clocks_with(int peer)
{
    double best = 1, found = 0, theirs;

    for (int n = 0; n < 4; n++) {
        double sent = MPI_Wtime();
        MPI_Send(&sent, 1, MPI_DOUBLE, peer, 2, MPI_COMM_WORLD);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, peer, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        double came = MPI_Wtime();
        if (came - sent < best) {
            best = came - sent;
            found = (sent + came) / 2 - theirs;
        }
    }
    MPI_Send(&found, 1, MPI_DOUBLE, peer, 2, MPI_COMM_WORLD);
}

static void compare_clocks(void)
{
    double theirs, own;

    for (int peer = 1; rank == 0 && peer < size; peer++)
        compare_clocks_with(peer);
    for (int n = 0; rank != 0 && n < 4; n++) {
        MPI_Recv(&theirs, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        own = MPI_Wtime();
        MPI_Send(&own, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
    if (rank != 0)
        MPI_Recv(&ahead, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* Until an instant that rank 0 has chosen; whether this rank heard of it too
 * late. */
static int start_together(double window)
{
    double at = MPI_Wtime() + window;

    MPI_Bcast(&at, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int late = MPI_Wtime() > at - ahead;
    while (MPI_Wtime() < at - ahead)
        ;
    return late;
}

/* The mean of the slowest rank's seconds. A repetition that somebody was late
 * for is made anew, with twice the time before it. */
static double measure(void (*run)(void), int repetitions)
{
    static double window = 200e-6;
    double sum = 0;

    run();
    for (int n = 0; n < repetitions;) {
        int late = start_together(window);
        double start = MPI_Wtime();
        run();
        double own[2] = {MPI_Wtime() - start, late}, most[2];
        MPI_Allreduce(own, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (most[1] > 0) {
            window *= 2;
            continue;
        }
        sum += most[0];
        n++;
    }
    return sum / repetitions;
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
    compare_clocks();
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
