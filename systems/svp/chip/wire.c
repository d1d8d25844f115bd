/*
 * wire.c: which way messages go, and how all cores begin.
 *
 * A program that is linked with the sockets of systems/tcpip sends all its
 * messages over them, as the published library did; without them they go
 * through rings in shared memory.
 */
#include "svp_private.h"

/* Shared memory behind the rings, and before tcpip's: who is there, by rank;
 * and behind them, whether a core that cannot go on has printed why. */
#define THERE (SEGMENT - PAGE)
SCC_PLAN(there_plan, SCC_SHARED, SCC_ALONE, THERE, PAGE, NAME);

const struct wire *svp_wire;
static volatile uint32_t *there;

void svp_wire_choose(void)
{
    if (svp_transport == SVP_ORIGINAL && !svp_sockets)
        svp_fail("make tcpip, and link with -lsvp -llwip -ltcpip",
                 "the original transport goes over TCP/IP, which this program "
                 "does not have");
    svp_wire = svp_sockets ? svp_sockets : &svp_rings;
}

/* Rank 0 waits for all, and all wait for rank 0. */
static void meet(void)
{
    there[svp_me] = 1;
    for (int rank = 0; svp_me == 0 && rank < svp_ranks; rank++)
        while (!there[rank])
            ;
    while (svp_me != 0 && !there[0])
        ;
}

void svp_wire_start(void)
{
    scc_claim(SCC_SHARED, SCC_ALONE, THERE, PAGE, NAME);
    there = svp_device(SCC_UNCACHED, NULL, SCC_SHARED_BASE + THERE, PAGE);
    svp_wire->open();
    meet();
    svp_wire->join();
}

void svp_tells(void)
{
    if (there)
        there[CORES] = 1;
}

bool svp_told(void)
{
    return there[CORES] != 0;
}

void svp_send(int rank, const struct message *message, const void *payload)
{
    if (rank == svp_me)
        svp_handle(rank, message, payload);
    else
        svp_wire->send(rank, message, payload);
}
