/*
 * ch3_ports.c: connect and accept. Who connects knocks at the core that the
 * port's name has, and both make a connection that belongs to no group, over
 * which MPICH's roots send each other their groups. It has a number, for
 * several may be under way between two cores besides the one that is theirs.
 */
#include "mpidi_ch3_impl.h"

/* Set in the number of a mark by the side that accepts. */
#define ACCEPTED 0x80000000u

static MPIDI_VC_t *passing;
static unsigned last_number;

static MPIDI_VC_t *new_connection(int core, unsigned number)
{
    MPIDI_VC_t *vc = MPL_malloc(sizeof *vc, MPL_MEM_ADDRESS);

    if (!vc)
        return NULL;
    MPIDI_VC_Init(vc, NULL, 0);
    rckmpi_connect(core);
    vc->ch.peer = core;
    vc->ch.mark[0] = RCKMPI_VIA;
    vc->ch.mark[1] = number;
    vc->ch.next = passing;
    passing = vc;
    return vc;
}

MPIDI_VC_t *rckmpi_via(int core, unsigned number)
{
    for (MPIDI_VC_t *vc = passing; vc; vc = vc->ch.next)
        if (vc->ch.peer == core && vc->ch.mark[1] == (number ^ ACCEPTED))
            return vc;
    return NULL;
}

void rckmpi_forget(MPIDI_VC_t *vc)
{
    for (MPIDI_VC_t **at = &passing; *at; at = &(*at)->ch.next)
        if (*at == vc) {
            *at = vc->ch.next;
            return;
        }
}

MPIDI_VC_t *rckmpi_closing(int core)
{
    MPIDI_VC_t *vc = rckmpi_links[core].vc;

    if (vc && vc->ch.closing)
        return vc;
    for (vc = passing; vc; vc = vc->ch.next)
        if (vc->ch.peer == core && vc->ch.closing)
            return vc;
    return NULL;
}

int rckmpi_knocked(int core, unsigned tag, unsigned number)
{
    int mpi_errno = MPI_SUCCESS;
    MPIDI_VC_t *vc = new_connection(core, number | ACCEPTED);

    MPIR_ERR_CHKANDJUMP(!vc, mpi_errno, MPI_ERR_OTHER, "**nomem");
    mpi_errno = MPIDI_CH3I_Acceptq_enqueue(vc, (int)tag);
fn_fail:
    return mpi_errno;
}

/* Goes through the queue of the link, as all else. */
static int knock(MPIDI_VC_t *vc, int tag)
{
    int mpi_errno = MPI_SUCCESS, core = vc->ch.peer;
    MPIR_Request *request = MPIR_Request_create(MPIR_REQUEST_KIND__SEND);
    unsigned words[] = {RCKMPI_KNOCK, (unsigned)tag, vc->ch.mark[1]};

    MPIR_ERR_CHKANDJUMP(!request, mpi_errno, MPI_ERR_OTHER, "**nomem");
    MPIR_Object_set_ref(request, 2);
    memcpy(&request->dev.pending_pkt, words, sizeof words);
    request->dev.OnDataAvail = NULL;
    request->dev.iov[0] =
        (struct iovec){&request->dev.pending_pkt, sizeof words};
    request->dev.iov_count = 1;
    request->rckmpi_vc = vc;
    rckmpi_queue(&rckmpi_links[core], request);
    MPIR_Request_free(request);
    if (rckmpi_links[core].first == request)
        mpi_errno = rckmpi_advance(core);
fn_fail:
    return mpi_errno;
}

int MPIDI_CH3_Connect_to_root(const char *port, MPIDI_VC_t **vc)
{
    int mpi_errno = MPI_SUCCESS, core, tag;

    *vc = NULL;
    if (MPL_str_get_int_arg(port, "core", &core) != MPL_SUCCESS ||
        MPL_str_get_int_arg(port, "tag", &tag) != MPL_SUCCESS || core < 0 ||
        core >= RCKMPI_MOST_RANKS)
        MPIR_ERR_SETANDJUMP1(mpi_errno, MPI_ERR_PORT, "**ch3|sock|badport",
                             "**ch3|sock|badport %s", port);
    *vc = new_connection(core, ++last_number & ~ACCEPTED);
    MPIR_ERR_CHKANDJUMP(!*vc, mpi_errno, MPI_ERR_OTHER, "**nomem");
    mpi_errno = knock(*vc, tag);
fn_fail:
    return mpi_errno;
}

/* The first call that has to do with ports: from here on others may knock. */
int MPIDI_CH3_PortFnsInit(MPIDI_PortFns *functions)
{
    if (!rckmpi_listen())
        *functions = (MPIDI_PortFns){NULL, NULL, NULL, NULL};
    return MPI_SUCCESS;
}

/* What finds a process: its core. */
int MPIDI_CH3_Get_business_card(int my_rank, char *value, int length)
{
    int written =
        MPL_str_add_int_arg(&value, &length, "core", rckmpi_core(my_rank));

    return written == MPL_SUCCESS ? MPI_SUCCESS : MPI_ERR_INTERN;
}
