/*
 * RCCE_comm.c: communicators, groups of UEs with a barrier of their own.
 * Compiled twice, like RCCE_flags.c: RCCE_COMM contains flags.
 */
#include "RCCE_lib.h"

RCCE_COMM RCCE_COMM_WORLD;
RCCE_COMM RCCE_P_COMM;

/* Sorts all UEs by colour; the caller's group becomes `comm`. A collective
 * call: every UE takes part, because the two flags come from RCCE_malloc. */
int RCCE_comm_split(int (*color)(int ue, void *aux), void *aux, RCCE_COMM *comm)
{
    if (!comm || !color)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    if (comm->initialized == RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_INITIALIZED);

    int mine = color(rcce_my_rank, aux);
    int *member = comm->member;
    if (rcce_ues > RCCE_MAXNP)
        member = rcce_new_members();
    if (!member)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    comm->size = 0;
    for (int ue = 0; ue < rcce_ues; ue++) {
        if (color(ue, aux) != mine)
            continue;
        if (ue == rcce_my_rank)
            comm->my_rank = comm->size;
        member[comm->size++] = ue;
    }
    if (member != comm->member)
        rcce_keep_members(comm);
    int error = RCCE_flag_alloc(&comm->gather);
    if (error)
        return error;
    error = RCCE_flag_alloc(&comm->release);
    if (error) {
        RCCE_flag_free(&comm->gather);
        return error;
    }
    /* The lines may have served before. Only the own ones are reset: nobody
     * writes here before this UE has entered a barrier of the group. */
    rcce_signal_store(rcce_signal_of(comm->gather), 0, 0, rcce_my_rank);
    rcce_signal_store(rcce_signal_of(comm->release), 0, 0, rcce_my_rank);
    comm->initialized = RCCE_COMM_VALID;
    return RCCE_SUCCESS;
}

int RCCE_comm_free(RCCE_COMM *comm)
{
    if (!comm || comm->initialized != RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    comm->initialized = 0;
    if (comm->size > RCCE_MAXNP)
        rcce_free_members(comm->member[0]);
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

static int everyone(int ue, void *aux)
{
    (void)ue;
    (void)aux;
    return 0;
}

static int barrier(void)
{
    return RCCE_barrier(&RCCE_COMM_WORLD);
}

int rcce_open_world(void)
{
    RCCE_COMM_WORLD.initialized = 0;
    rcce_world_barrier = barrier;
    return RCCE_comm_split(everyone, NULL, &RCCE_COMM_WORLD);
}

/* The last barrier; after it nobody writes into this MPB any more, and the
 * first member has read this UE's flag. */
int rcce_close_world(void)
{
    int error = barrier();
    RCCE_COMM_WORLD.initialized = RCCE_P_COMM.initialized = 0;
    return error;
}

static int by_domain(int ue, void *aux)
{
    (void)aux;
    return rcce_domain_of(rcce_core_of[ue]);
}

int rcce_open_power(void)
{
    RCCE_P_COMM.initialized = 0;
    return RCCE_comm_split(by_domain, NULL, &RCCE_P_COMM);
}
