/*
 * RCCE_synch.c: waiting, barriers and the fence.
 */
#include "RCCE_lib.h"

/* Waits for a flag in the own MPB. */
int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS status)
{
    int error = rcce_check_flag(flag);
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    if (status != RCCE_FLAG_SET && status != RCCE_FLAG_UNSET)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_STATUS_UNDEFINED);
    rcce_flag_wait(flag, status, rcce_my_rank);
    return RCCE_SUCCESS;
}

/*
 * Every member raises its own gather flag, the first member reads them all
 * and then writes every release flag. The meaning of "raised" alternates
 * from barrier to barrier, so no flag needs to be reset in between. Nobody
 * writes into an MPB before its owner has come to the barrier: that makes
 * the first barrier of a job safe although cores boot at different times.
 */
int RCCE_barrier(RCCE_COMM *comm)
{
    if (!comm || comm->initialized != RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);

    int turn = !rcce_flag_load(comm->gather, rcce_my_rank);
    rcce_flag_store(comm->gather, turn, rcce_my_rank);
    if (comm->my_rank != 0) {
        rcce_flag_wait(comm->release, turn, rcce_my_rank);
        return RCCE_SUCCESS;
    }
    for (int i = 1; i < comm->size; i++)
        rcce_flag_wait(comm->gather, turn, comm->member[i]);
    for (int i = 1; i < comm->size; i++)
        rcce_flag_store(comm->release, turn, comm->member[i]);
    return RCCE_SUCCESS;
}

/* Keeps the compiler from moving memory accesses across it, and pushes a
 * partly filled write-combine buffer. The core itself reorders nothing. */
void RCCE_fence(void)
{
    __asm__ volatile("" ::: "memory");
    if (rcce_ues > 0)
        rcce_push_wcb();
}
