/*
 * RCCE_synch.c: the barrier of a communicator. Compiled twice, like
 * RCCE_flags.c.
 */
#include "RCCE_lib.h"

/*
 * Every member raises its own gather flag, the first member reads them all
 * and then writes every release flag. The meaning of "raised" alternates
 * from barrier to barrier, so no flag needs to be reset in between. Nobody
 * writes into an MPB before its owner has come to the barrier: that makes
 * the first barrier of a job safe although cores boot at different times.
 */
int RCCE_barrier(RCCE_COMM *comm)
{
    int along;

    if (!comm || comm->initialized != RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);

    struct rcce_signal gather = rcce_signal_of(comm->gather);
    struct rcce_signal release = rcce_signal_of(comm->release);
    int turn = !rcce_signal_load(gather, &along, rcce_my_rank);
    rcce_signal_store(gather, turn, 0, rcce_my_rank);
    if (comm->my_rank != 0) {
        rcce_signal_wait(release, turn, rcce_my_rank);
        return RCCE_SUCCESS;
    }
    const int *member = rcce_members(comm);
    for (int i = 1; i < comm->size; i++)
        rcce_signal_wait(gather, turn, member[i]);
    for (int i = 1; i < comm->size; i++)
        rcce_signal_store(release, turn, 0, member[i]);
    return RCCE_SUCCESS;
}
