/*
 * iRCCE_init.c: the start, and the ties to RCCE: its blocking calls go on
 * with started messages while they wait, and let them go first.
 */
#include "iRCCE_lib.h"

const int iRCCE_ANY_SOURCE = -1;
const int iRCCE_ANY_LENGTH = -1;

void ircce_push(void)
{
    ircce_push_recvs();
    ircce_push_sends();
}

static void drain_sends(void)
{
    iRCCE_isend_wait(NULL);
}

static void drain_recvs(int source)
{
    while (ircce_expected(source))
        ircce_push();
}

/* Messages need the buffer and flags of RCCE's basic interface, and
 * iRCCE_init. */
int ircce_check(void)
{
    return rcce_combuf && rcce_idle ? RCCE_SUCCESS : RCCE_ERROR_COMM_UNDEFINED;
}

/* A message that is under way keeps its part of the buffer while the
 * program calls a collective, so these get a half of their own. */
int iRCCE_init(void)
{
    if (!rcce_combuf)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_COMM_UNDEFINED);
    if (rcce_idle)
        return iRCCE_SUCCESS;
    /* iRCCE counts pieces in lines that larger jobs do not have. */
    if (rcce_ues > RCCE_MAXNP) {
        fprintf(stderr, "iRCCE: a job has at most %d UEs, not %d\n", RCCE_MAXNP,
                rcce_ues);
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_NUM_UES);
    }
    rcce_chunk = rcce_chunk / 2 & ~(size_t)(RCCE_LINE_SIZE - 1);
    rcce_coll_buffer = rcce_combuf + rcce_chunk;
    rcce_coll_bytes -= rcce_chunk;
    rcce_idle = ircce_push;
    rcce_drain_sends = drain_sends;
    rcce_drain_recvs = drain_recvs;
    rcce_expected = ircce_expected;
    /* Nobody sends in chunks of the new size before all know it. */
    return rcce_world_barrier();
}
