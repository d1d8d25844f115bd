/*
 * A parallel sort by samples: every core sorts its part, splitters come
 * from samples of all parts, each core sends every other what belongs
 * there, and merges what it got.
 */
#include "iRCCE.h"
#include "RCCE_collectives.h"

#include <string.h>

#define KEYS 2000 /* on each core */
#define SAMPLES 8 /* from each core */
#define ROOM (4 * KEYS)

static unsigned part[KEYS], sorted[ROOM];
static unsigned samples[RCCE_MAXNP * SAMPLES], splitter[RCCE_MAXNP];
static int sends[RCCE_MAXNP], receives[RCCE_MAXNP];
static iRCCE_SEND_REQUEST send[RCCE_MAXNP];
static iRCCE_RECV_REQUEST recv[RCCE_MAXNP];

static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return x < y ? -1 : x > y;
}

static unsigned make_keys(int me)
{
    unsigned x = 12345u + 777u * (unsigned)me, sum = 0;

    for (int i = 0; i < KEYS; i++) {
        x = x * 1664525u + 1013904223u;
        part[i] = x ^ x >> 13;
        sum += part[i];
    }
    return sum;
}

static void choose_splitters(int ues)
{
    unsigned mine[SAMPLES];

    for (int i = 0; i < SAMPLES; i++)
        mine[i] = part[i * KEYS / SAMPLES];
    RCCE_coll_gather((char *)mine, (char *)samples, sizeof mine, 0,
                     RCCE_COMM_WORLD);
    if (RCCE_ue() == 0) {
        qsort(samples, (size_t)(ues * SAMPLES), sizeof *samples, compare);
        for (int ue = 1; ue < ues; ue++)
            splitter[ue] = samples[ue * SAMPLES];
    }
    RCCE_coll_bcast((char *)splitter, sizeof splitter, 0, RCCE_COMM_WORLD);
}

/* Everybody sends its keys from splitter to splitter; returns how many the
 * own part has now. */
static int exchange(int me, int ues)
{
    iRCCE_WAIT_LIST list;
    int at = 0, have = 0;

    iRCCE_init_wait_list(&list);
    for (int ue = 0; ue < ues; ue++) {
        int first = at;
        while (at < KEYS && (ue == ues - 1 || part[at] < splitter[ue + 1]))
            at++;
        sends[ue] = at - first;
    }
    RCCE_coll_alltoall((char *)sends, (char *)receives, sizeof(int),
                       RCCE_COMM_WORLD);
    at = 0;
    for (int ue = 0; ue < ues; at += sends[ue++]) {
        ssize_t out = (ssize_t)sizeof(int) * sends[ue];
        ssize_t in = (ssize_t)sizeof(int) * receives[ue];
        if (ue == me) {
            memcpy(sorted + have, part + at, (size_t)out);
        } else {
            if (out > 0) {
                iRCCE_isend((char *)(part + at), out, ue, &send[ue]);
                iRCCE_add_to_wait_list(&list, &send[ue], NULL);
            }
            if (in > 0) {
                iRCCE_irecv((char *)(sorted + have), in, ue, &recv[ue]);
                iRCCE_add_to_wait_list(&list, NULL, &recv[ue]);
            }
        }
        have += receives[ue];
    }
    iRCCE_wait_all(&list);
    return have;
}

/* 1 when something is out of order, here or at the border to the left. */
static int check(int me, int ues, int have)
{
    unsigned left = 0;
    int wrong = 0;

    if (me > 0)
        RCCE_recv((char *)&left, sizeof left, me - 1);
    for (int i = 0; i < have; i++) {
        wrong |= sorted[i] < left;
        left = sorted[i];
    }
    if (me < ues - 1)
        RCCE_send((char *)&left, sizeof left, me + 1);
    return wrong;
}

int RCCE_APP(int argc, char **argv)
{
    int all[3], mine[3];

    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue(), ues = RCCE_num_ues();
    unsigned sum = make_keys(me);
    qsort(part, KEYS, sizeof *part, compare);
    choose_splitters(ues);
    int have = exchange(me, ues);
    qsort(sorted, (size_t)have, sizeof *sorted, compare);
    for (int i = 0; i < have; i++)
        sum -= sorted[i];
    mine[0] = have;
    mine[1] = (int)sum; /* what went out and what came in add up to 0 */
    mine[2] = check(me, ues, have);
    RCCE_allreduce((char *)mine, (char *)all, 3, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d keys on %d cores: %s, %s\n", all[0], ues,
               all[2] ? "NOT in order" : "in order",
               all[1] ? "some are NOT the same" : "none lost or changed");
    return RCCE_finalize();
}
