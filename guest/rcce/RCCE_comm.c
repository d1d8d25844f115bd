/*
 * RCCE_comm.c: communicators, groups of UEs with a barrier of their own.
 */
#include "RCCE_lib.h"

RCCE_COMM RCCE_COMM_WORLD;

/* Sorts all UEs by colour; the caller's group becomes `comm`. A collective
 * call: every UE takes part, because the two flags come from RCCE_malloc. */
int RCCE_comm_split(int (*color)(int ue, void *aux), void *aux, RCCE_COMM *comm)
{
    if (!comm || !color)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    if (comm->initialized == RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_INITIALIZED);

    int mine = color(rcce_my_rank, aux);
    comm->size = 0;
    for (int ue = 0; ue < rcce_ues; ue++) {
        if (color(ue, aux) != mine)
            continue;
        if (ue == rcce_my_rank)
            comm->my_rank = comm->size;
        comm->member[comm->size++] = ue;
    }
    int error = RCCE_flag_alloc(&comm->gather);
    if (!error)
        error = RCCE_flag_alloc(&comm->release);
    if (error)
        return error;
    /* The lines may have served before. Only the own ones are reset: nobody
     * writes here before this UE has entered a barrier of the group. */
    rcce_flag_store(comm->gather, RCCE_FLAG_UNSET, rcce_my_rank);
    rcce_flag_store(comm->release, RCCE_FLAG_UNSET, rcce_my_rank);
    comm->initialized = RCCE_COMM_VALID;
    return RCCE_SUCCESS;
}

int RCCE_comm_free(RCCE_COMM *comm)
{
    if (!comm || comm->initialized != RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    comm->initialized = 0;
    RCCE_flag_free(&comm->gather);
    RCCE_flag_free(&comm->release);
    return RCCE_SUCCESS;
}

int RCCE_comm_size(RCCE_COMM comm, int *size)
{
    if (comm.initialized != RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    if (!size)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    *size = comm.size;
    return RCCE_SUCCESS;
}

int RCCE_comm_rank(RCCE_COMM comm, int *rank)
{
    if (comm.initialized != RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    if (!rank)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    *rank = comm.my_rank;
    return RCCE_SUCCESS;
}
