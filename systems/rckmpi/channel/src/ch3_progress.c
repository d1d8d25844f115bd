/*
 * ch3_progress.c: the engine that polls all peers.
 *
 * What comes in is a stream of packets: a header, whose type says what it
 * means and how long it is, then data for the request that MPICH's handler of
 * this type returns.
 */
#include "mpidi_ch3_impl.h"

volatile unsigned int MPIDI_CH3I_progress_completion_count = 0;

static MPIDI_CH3_PktHandler_Fcn *handlers[MPIDI_CH3_PKT_END_CH3 + 1];

int rckmpi_progress_open(void)
{
    return MPIDI_CH3_PktHandler_Init(handlers, MPIDI_CH3_PKT_END_CH3 + 1);
}

size_t rckmpi_header_bytes(MPIDI_CH3_Pkt_type_t type)
{
    switch (type) {
    case MPIDI_CH3_PKT_EAGER_SEND:
    case MPIDI_CH3_PKT_EAGER_SYNC_SEND:
    case MPIDI_CH3_PKT_READY_SEND:
        return sizeof(MPIDI_CH3_Pkt_eager_send_t);
#if defined(USE_EAGER_SHORT)
    case MPIDI_CH3_PKT_EAGERSHORT_SEND:
        return sizeof(MPIDI_CH3_Pkt_eagershort_send_t);
#endif
    case MPIDI_CH3_PKT_EAGER_SYNC_ACK:
        return sizeof(MPIDI_CH3_Pkt_eager_sync_ack_t);
    case MPIDI_CH3_PKT_RNDV_REQ_TO_SEND:
        return sizeof(MPIDI_CH3_Pkt_rndv_req_to_send_t);
    case MPIDI_CH3_PKT_RNDV_CLR_TO_SEND:
        return sizeof(MPIDI_CH3_Pkt_rndv_clr_to_send_t);
    case MPIDI_CH3_PKT_RNDV_SEND:
        return sizeof(MPIDI_CH3_Pkt_rndv_send_t);
    default:
        return sizeof(MPIDI_CH3_Pkt_t);
    }
}

int rckmpi_shorten(struct iovec *parts, int count, size_t bytes)
{
    int gone = 0;

    while (gone < count && parts[gone].iov_len <= bytes)
        bytes -= parts[gone++].iov_len;
    for (int n = gone; gone > 0 && n < count; n++)
        parts[n - gone] = parts[n];
    count -= gone;
    if (count > 0) {
        parts[0].iov_base = (char *)parts[0].iov_base + bytes;
        parts[0].iov_len -= bytes;
    }
    return count;
}

/* All of a request's vector has gone or come: done, or there is more. */
static int vector_done(MPIDI_VC_t *vc, MPIR_Request *request, int *complete)
{
    if (request->dev.OnDataAvail)
        return request->dev.OnDataAvail(vc, request, complete);
    *complete = TRUE;
    return MPID_Request_complete(request);
}

int rckmpi_advance(MPIDI_VC_t *vc)
{
    int mpi_errno = MPI_SUCCESS, complete;
    MPIR_Request *request;

    while ((request = vc->ch.first) && rckmpi_free(vc->ch.peer)) {
        size_t sent =
            rckmpi_send(vc->ch.peer, request->dev.iov, request->dev.iov_count);
        request->dev.iov_count =
            rckmpi_shorten(request->dev.iov, request->dev.iov_count, sent);
        if (request->dev.iov_count > 0)
            continue;
        mpi_errno = vector_done(vc, request, &complete);
        MPIR_ERR_CHECK(mpi_errno);
        if (complete)
            rckmpi_unqueue(&vc->ch);
    }
    if (!vc->ch.first && vc->ch.closing) {
        vc->ch.closing = 0;
        mpi_errno = MPIDI_CH3U_Handle_connection(vc, MPIDI_VC_EVENT_TERMINATED);
    }
fn_fail:
    return mpi_errno;
}

/* Takes a packet's header, or a part of it; handles it when it is whole. */
static int take_header(MPIDI_VC_t *vc)
{
    MPIDI_CH3I_VC *ch = &vc->ch;
    MPIDI_CH3_Pkt_t *packet = (MPIDI_CH3_Pkt_t *)ch->header;
    size_t wanted = sizeof packet->type;
    intptr_t none = 0;

    if (ch->header_bytes >= wanted)
        wanted = rckmpi_header_bytes(packet->type);
    wanted -= ch->header_bytes;
    size_t arrived = rckmpi_arrived(ch->peer);
    size_t now = wanted < arrived ? wanted : arrived;
    rckmpi_receive(ch->peer, ch->header + ch->header_bytes, now);
    ch->header_bytes += now;
    if (now < wanted || ch->header_bytes == sizeof packet->type)
        return MPI_SUCCESS;
    ch->header_bytes = 0;
    /* A peer may speak first. */
    if (vc->state == MPIDI_VC_STATE_INACTIVE)
        MPIDI_CHANGE_VC_STATE(vc, ACTIVE);
    return handlers[packet->type](vc, packet, NULL, &none, &ch->incoming);
}

/* Takes data to where the current request wants them. */
static int take_data(MPIDI_VC_t *vc)
{
    MPIR_Request *request = vc->ch.incoming;
    int complete;

    while (request->dev.iov_count > 0) {
        struct iovec *part = request->dev.iov;
        size_t arrived = rckmpi_arrived(vc->ch.peer);
        size_t now = part->iov_len < arrived ? part->iov_len : arrived;
        if (now == 0 && part->iov_len > 0)
            return MPI_SUCCESS;
        if (now > 0)
            rckmpi_receive(vc->ch.peer, part->iov_base, now);
        request->dev.iov_count =
            rckmpi_shorten(part, request->dev.iov_count, now);
    }
    int mpi_errno = vector_done(vc, request, &complete);
    if (complete)
        vc->ch.incoming = NULL;
    return mpi_errno;
}

static int poll_peer(MPIDI_VC_t *vc)
{
    int mpi_errno = MPI_SUCCESS;
    unsigned found = rckmpi_look(vc->ch.peer);

    while (found & RCKMPI_ARRIVED && rckmpi_arrived(vc->ch.peer) > 0) {
        mpi_errno = vc->ch.incoming ? take_data(vc) : take_header(vc);
        MPIR_ERR_CHECK(mpi_errno);
    }
    if (found & RCKMPI_FREE && vc->ch.first)
        mpi_errno = rckmpi_advance(vc);
fn_fail:
    return mpi_errno;
}

static int poll_all(void)
{
    int mpi_errno = MPI_SUCCESS, ranks = MPIR_Process.size;

    rckmpi_round();
    for (int rank = rckmpi_next(0); rank < ranks; rank = rckmpi_next(rank + 1))
        if (rckmpi_vcs[rank]) {
            mpi_errno = poll_peer(rckmpi_vcs[rank]);
            MPIR_ERR_CHECK(mpi_errno);
        }
fn_fail:
    return mpi_errno;
}

int MPIDI_CH3I_Progress(int blocking, MPID_Progress_state *state)
{
    int mpi_errno = MPI_SUCCESS;

    do {
        int progress = FALSE;
        mpi_errno = MPIR_Progress_hook_exec_all(&progress);
        MPIR_ERR_CHECK(mpi_errno);
        if (progress) {
            MPIDI_CH3_Progress_signal_completion();
            break;
        }
        mpi_errno = poll_all();
        MPIR_ERR_CHECK(mpi_errno);
    } while (blocking && state->ch.completion_count ==
                             (int)MPIDI_CH3I_progress_completion_count);
fn_fail:
    if (blocking)
        state->ch.completion_count = (int)MPIDI_CH3I_progress_completion_count;
    return mpi_errno;
}

/* The closing handshake is over; its last packet may still wait. */
int MPIDI_CH3_Connection_terminate(MPIDI_VC_t *vc)
{
    if (vc->ch.first) {
        vc->ch.closing = 1;
        return MPI_SUCCESS;
    }
    return MPIDI_CH3U_Handle_connection(vc, MPIDI_VC_EVENT_TERMINATED);
}
