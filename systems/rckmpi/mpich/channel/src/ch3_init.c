/*
 * ch3_init.c: the channel's beginning, and what MPICH asks of a connection.
 *
 * MPICH makes connections before it says where they lead. Those of the own
 * group are known when the channel opens; of other groups it is asked when
 * they are first used, or at the next round of polling.
 */
#include "mpidi_ch3_impl.h"

char MPIDI_CH3_ABIVersion[] = "1.1";
int rckmpi_unbound;

static void lead(MPIDI_VC_t *vc, int core)
{
    vc->ch.peer = core;
    rckmpi_links[core].vc = vc;
    rckmpi_connect(core);
    rckmpi_bind(core, 1);
    rckmpi_wake(core);
}

/* MPICH keeps eight requests; when they are in use it takes memory for 1,024,
 * and clearing those pages costs 30 ms: in the middle of a collective, by
 * whichever rank falls eight messages behind. So here is a block for a message
 * each way with every core. */
static int open_requests(void)
{
    MPIR_Object_alloc_t *pool = &MPIR_Request_mem[0];
    MPIR_Handle_common *kept = MPIR_Handle_obj_alloc_unsafe(
        pool, REQUEST_NUM_BLOCKS, REQUEST_NUM_INDICES);

    if (!kept)
        return 0;
    MPIR_Handle_obj_free_unsafe(pool, kept, 0);
    while (kept->next)
        kept = kept->next;
    kept->next = MPIR_Handle_indirect_init(pool, REQUEST_NUM_BLOCKS,
                                           2 * RCKMPI_MOST_RANKS);
    return kept->next != NULL;
}

int MPIDI_CH3_Init(int has_parent, MPIDI_PG_t *group, int my_rank)
{
    (void)has_parent;
    MPIR_Assert(sizeof(MPIDI_CH3_Pkt_t) <=
                sizeof(((struct rckmpi_link *)0)->header));
    rckmpi_open(NULL);
    if (!open_requests())
        return MPIR_Err_create_code(MPI_SUCCESS, MPIR_ERR_FATAL, __func__,
                                    __LINE__, MPI_ERR_OTHER, "**nomem", NULL);
    for (int rank = 0; rank < MPIDI_PG_Get_size(group); rank++) {
        MPIDI_VC_t *vc;
        MPIDI_PG_Get_vc(group, rank, &vc);
        if (rank == my_rank)
            vc->ch.peer = rckmpi_core(rank);
        else
            lead(vc, rckmpi_core(rank));
    }
    rckmpi_unbound = 0;
    rckmpi_guard();
    return rckmpi_progress_open();
}

int MPIDI_CH3_VC_Init(MPIDI_VC_t *vc)
{
    memset(&vc->ch, 0, sizeof vc->ch);
    vc->ch.peer = -1;
    rckmpi_unbound = 1;
    return MPI_SUCCESS;
}

static int bind_one(MPIDI_VC_t *vc)
{
    char card[MPI_MAX_PORT_NAME];
    int core, mpi_errno = MPIDI_PG_GetConnString(vc->pg, vc->pg_rank, card,
                                                 sizeof card);

    if (!mpi_errno && MPL_str_get_int_arg(card, "core", &core) == MPL_SUCCESS)
        lead(vc, core);
    return mpi_errno;
}

int rckmpi_bind_all(void)
{
    MPIDI_PG_iterator all;
    MPIDI_PG_t *group;
    int mpi_errno = MPI_SUCCESS;

    rckmpi_unbound = 0;
    MPIDI_PG_Get_iterator(&all);
    while (MPIDI_PG_Has_next(&all) && !mpi_errno) {
        MPIDI_PG_Get_next(&all, &group);
        for (int n = 0; group->connData && n < group->size; n++)
            if (group->vct[n].ch.peer < 0 && !mpi_errno)
                mpi_errno = bind_one(&group->vct[n]);
    }
    return mpi_errno;
}

int rckmpi_peer(MPIDI_VC_t *vc)
{
    if (vc->ch.peer < 0 && vc->pg)
        bind_one(vc);
    return vc->ch.peer;
}

int MPIDI_CH3_VC_Destroy(MPIDI_VC_t *vc)
{
    int core = vc->ch.peer;

    if (vc->pg && core >= 0 && rckmpi_links[core].vc == vc) {
        rckmpi_links[core].vc = NULL;
        rckmpi_bind(core, 0);
    }
    if (!vc->pg)
        rckmpi_forget(vc);
    return MPI_SUCCESS;
}

/* The closing handshake is over; its last packet may still wait. */
int MPIDI_CH3_Connection_terminate(MPIDI_VC_t *vc)
{
    if (rckmpi_links[rckmpi_peer(vc)].first) {
        vc->ch.closing = 1;
        return MPI_SUCCESS;
    }
    return MPIDI_CH3U_Handle_connection(vc, MPIDI_VC_EVENT_TERMINATED);
}

int MPIDI_CH3_PG_Init(MPIDI_PG_t *group)
{
    (void)group;
    return MPI_SUCCESS;
}

int MPIDI_CH3_PG_Destroy(MPIDI_PG_t *group)
{
    (void)group;
    return MPI_SUCCESS;
}

int MPIDI_CH3_InitCompleted(void)
{
    return MPI_SUCCESS;
}
