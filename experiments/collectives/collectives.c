/*
 * collectives.c: ways to broadcast, reduce and meet, by members and bytes.
 *
 *     collectives ROUNDS BYTES...
 *
 * Of each call: RCCE's own (the root deals with all in turn), ours (as the
 * table of the library chooses); of the broadcast also the two of RCCE_comm
 * against which one-sided trees were measured [petrovic-spaa-2012]: a
 * binomial tree, and scatter and allgather in a ring, both of RCCE_send and
 * RCCE_recv. Output: call, way, bytes, cycles of the slowest member a call,
 * from a common start.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#include "RCCE_collectives.h"

#define MOST 65536

enum what { BARRIER, BCAST, ALLREDUCE, BINOMIAL, ALLGATHER };

static char in[MOST], out[MOST];
static int me, ues;

/* A member that has the data passes them on to the member half as far away
 * each time. */
static void binomial(size_t bytes)
{
    int bit = 1;

    while (bit < ues && !(me & bit))
        bit <<= 1;
    if (me != 0)
        RCCE_recv(in, bytes, me - bit);
    for (bit >>= 1; bit > 0; bit >>= 1)
        if (me + bit < ues)
            RCCE_send(in, bytes, me + bit);
}

static char *part(int i, size_t bytes, size_t *length)
{
    size_t each = (bytes + (size_t)ues - 1) / (size_t)ues;
    size_t at = each * (size_t)i;

    each = (each + 31) & ~(size_t)31;
    at = each * (size_t)i;
    *length = at >= bytes ? 0 : bytes - at < each ? bytes - at : each;
    return in + at;
}

static void send_part(int i, size_t bytes, int to)
{
    size_t length;
    char *data = part(i, bytes, &length);

    if (length > 0)
        RCCE_send(data, length, to);
}

static void receive_part(int i, size_t bytes, int from)
{
    size_t length;
    char *data = part(i, bytes, &length);

    if (length > 0)
        RCCE_recv(data, length, from);
}

/* The root deals out the parts; then they go once around. Even members send
 * first, odd ones receive first. */
static void scatter_allgather(size_t bytes)
{
    for (int i = 1; i < ues; i++) {
        if (me == 0)
            send_part(i, bytes, i);
        else if (me == i)
            receive_part(i, bytes, 0);
    }
    int next = (me + 1) % ues, before = (me + ues - 1) % ues;
    for (int step = 0; step < ues - 1; step++) {
        int mine = (me - step + ues) % ues, theirs = (mine + ues - 1) % ues;
        if (me % 2 == 0)
            send_part(mine, bytes, next);
        receive_part(theirs, bytes, before);
        if (me % 2 == 1)
            send_part(mine, bytes, next);
    }
}

static void call(enum what what, size_t bytes)
{
    switch (what) {
    case BARRIER:
        RCCE_coll_barrier(&RCCE_COMM_WORLD);
        break;
    case BCAST:
        RCCE_coll_bcast(in, bytes, 0, RCCE_COMM_WORLD);
        break;
    case ALLREDUCE:
        RCCE_coll_allreduce(in, out, (int)bytes / 8, RCCE_DOUBLE, RCCE_SUM,
                            RCCE_COMM_WORLD);
        break;
    case BINOMIAL:
        binomial(bytes);
        break;
    case ALLGATHER:
        scatter_allgather(bytes);
        break;
    }
}

static const enum RCCE_coll_call calls[] = {RCCE_COLL_BARRIER, RCCE_COLL_BCAST,
                                            RCCE_COLL_ALLREDUCE,
                                            RCCE_COLL_BCAST, RCCE_COLL_BCAST};

static void measure(const char *name, enum what what, int bytes,
                    enum RCCE_coll_algorithm how, int rounds)
{
    double spent = 0, slowest = 0;

    for (int i = 0; i <= rounds; i++) {
        RCCE_coll_force(RCCE_COLL_BARRIER, RCCE_COLL_AUTO);
        RCCE_coll_barrier(&RCCE_COMM_WORLD);
        RCCE_coll_force(calls[what], how);
        uint64_t start = __builtin_ia32_rdtsc();
        call(what, (size_t)bytes);
        if (i > 0)
            spent += (double)(__builtin_ia32_rdtsc() - start);
        RCCE_coll_force(calls[what], RCCE_COLL_AUTO);
    }
    RCCE_coll_allreduce((char *)&spent, (char *)&slowest, 1, RCCE_DOUBLE,
                        RCCE_MAX, RCCE_COMM_WORLD);
    if (me == 0)
        printf("%s %d %.0f\n", name, bytes, slowest / rounds);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    ues = RCCE_num_ues();
    int rounds = argc > 1 ? atoi(argv[1]) : 1;

    if (ues % 2 != 0)
        return 2; /* the ring needs even and odd members in turn */
    measure("barrier rcce", BARRIER, 0, RCCE_COLL_SIMPLE, rounds);
    measure("barrier ours", BARRIER, 0, RCCE_COLL_AUTO, rounds);
    for (int i = 2; i < argc; i++) {
        int bytes = atoi(argv[i]);
        if (bytes < 8 || bytes > MOST)
            return 2;
        measure("bcast rcce", BCAST, bytes, RCCE_COLL_SIMPLE, rounds);
        measure("bcast binomial", BINOMIAL, bytes, RCCE_COLL_AUTO, rounds);
        measure("bcast allgather", ALLGATHER, bytes, RCCE_COLL_AUTO, rounds);
        measure("bcast ours", BCAST, bytes, RCCE_COLL_AUTO, rounds);
        if (bytes > 4096)
            continue;
        measure("allreduce rcce", ALLREDUCE, bytes, RCCE_COLL_SIMPLE, rounds);
        measure("allreduce ours", ALLREDUCE, bytes, RCCE_COLL_AUTO, rounds);
    }
    return RCCE_finalize();
}
