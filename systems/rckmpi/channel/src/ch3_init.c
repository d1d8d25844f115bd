/*
 * ch3_init.c: the channel's beginning, and what MPICH asks of a connection.
 */
#include "mpidi_ch3_impl.h"

char MPIDI_CH3_ABIVersion[] = "1.1";
MPIDI_VC_t *rckmpi_vcs[RCKMPI_MOST_RANKS];

int MPIDI_CH3_Init(int has_parent, MPIDI_PG_t *group, int my_rank)
{
    (void)has_parent;
    MPIR_Assert(sizeof(MPIDI_CH3_Pkt_t) <=
                sizeof(((MPIDI_CH3I_VC *)0)->header));
    rckmpi_open(NULL);
    for (int rank = 0; rank < MPIDI_PG_Get_size(group); rank++) {
        MPIDI_VC_t *vc;
        MPIDI_PG_Get_vc(group, rank, &vc);
        vc->ch.peer = rank;
        rckmpi_vcs[rank] = rank == my_rank ? NULL : vc;
    }
    rckmpi_guard();
    return rckmpi_progress_open();
}

int MPIDI_CH3_VC_Init(MPIDI_VC_t *vc)
{
    memset(&vc->ch, 0, sizeof vc->ch);
    vc->ch.peer = vc->pg_rank;
    return MPI_SUCCESS;
}

int MPIDI_CH3_PortFnsInit(MPIDI_PortFns *functions)
{
    functions->OpenPort = NULL;
    functions->ClosePort = NULL;
    functions->CommAccept = NULL;
    functions->CommConnect = NULL;
    return MPI_SUCCESS;
}

int MPIDI_CH3_Connect_to_root(const char *port, MPIDI_VC_t **vc)
{
    int mpi_errno = MPI_SUCCESS;

    (void)port;
    *vc = NULL;
    MPIR_ERR_SET1(mpi_errno, MPI_ERR_OTHER, "**intern", "**intern %s",
                  "the channel of the SCC connects no jobs");
    return mpi_errno;
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

int MPIDI_CH3_VC_Destroy(MPIDI_VC_t *vc)
{
    (void)vc;
    return MPI_SUCCESS;
}

int MPIDI_CH3_InitCompleted(void)
{
    return MPI_SUCCESS;
}

/* Where a port's owner is: ports are not offered. */
int MPIDI_CH3_Get_business_card(int my_rank, char *value, int length)
{
    return snprintf(value, (size_t)length, "rank#%d$", my_rank) < length
               ? MPI_SUCCESS
               : MPI_ERR_INTERN;
}
