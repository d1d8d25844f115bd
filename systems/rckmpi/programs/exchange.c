/*
 * exchange.c: the first and the last rank exchange packets, one each way at
 * once, while all others poll, as in a program whose other ranks wait. No MPI:
 * what remains of MPI_Sendrecv is the channel. Arguments: channel, then items
 * BYTES:REPETITIONS; the first exchange of each is not timed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rckmpi.h"

#define HEADER 20 /* what MPICH puts in front of a message */
static int rank, size;
static char out[HEADER + 65536], in[HEADER + 65536];

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* One round of polling: all peers are looked at, one is spoken with. */
static void poll(int peer, size_t *arrived)
{
    rckmpi_round();
    for (int n = rckmpi_next(0); n < RCKMPI_MOST_RANKS;
         n = rckmpi_next(n + 1)) {
        if (!(rckmpi_look(n) & RCKMPI_ARRIVED))
            continue;
        size_t bytes = rckmpi_arrived(n);
        if (n == peer && bytes > sizeof in - *arrived)
            rckmpi_abort(1);
        rckmpi_receive(n, in + *arrived, bytes);
        *arrived += bytes;
    }
}

static void exchange(int peer, size_t bytes)
{
    size_t sent = 0, arrived = 0;

    while (sent < bytes || arrived < bytes) {
        struct iovec part = {out + sent, bytes - sent};
        if (sent < bytes && rckmpi_free(peer))
            sent += rckmpi_send(peer, &part, 1);
        if (arrived < bytes || sent < bytes)
            poll(peer, &arrived);
    }
}

static void measure(int peer, size_t bytes, int repetitions)
{
    double start = 0;

    for (size_t n = 0; n < bytes; n++)
        out[n] = (char)(n * 31 + n / 256);
    for (int n = 0; n <= repetitions; n++) {
        if (n == 1)
            start = now();
        exchange(peer, HEADER + bytes);
    }
    double us = (now() - start) / repetitions * 1e6;
    int wrong = memcmp(in, out, HEADER + bytes) != 0;
    if (rank == 0)
        printf("exchange by %s: %d ranks, %d bytes: %.2f us%s\n",
               rckmpi_channel(), size, (int)bytes, us, wrong ? " WRONG" : "");
}

int main(int argc, char **argv)
{
    rckmpi_open(argc > 1 ? argv[1] : NULL);
    rckmpi_job(&rank, &size);
    int last = size - 1, peer = rckmpi_core(rank == 0 ? last : 0);

    /* A byte to the others says that it is over. */
    if (rank != 0 && rank != last)
        for (size_t arrived = 0; arrived == 0;)
            poll(-1, &arrived);
    else
        for (int n = 2; n < argc; n++) {
            char *colon;
            size_t bytes = (size_t)strtol(argv[n], &colon, 10);
            if (*colon == ':' && bytes <= sizeof out - HEADER)
                measure(peer, bytes, atoi(colon + 1));
        }
    struct iovec end = {out, 1};
    for (int n = 1; rank == 0 && n < last; n++)
        rckmpi_send(rckmpi_core(n), &end, 1);
    return 0;
}
