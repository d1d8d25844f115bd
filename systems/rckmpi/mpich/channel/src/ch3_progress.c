/*
 * ch3_progress.c: the engine that polls all peers.
 *
 * What comes in is a stream of packets: a header, whose type says what it
 * means and how long it is, then data for the request that MPICH's handler of
 * this type returns.
 */
#include "mpidi_ch3_impl.h"

volatile unsigned int MPIDI_CH3I_progress_completion_count = 0;
struct rckmpi_link rckmpi_links[RCKMPI_MOST_RANKS];

static MPIDI_CH3_PktHandler_Fcn *handlers[MPIDI_CH3_PKT_END_CH3 + 1];

int rckmpi_progress_open(void)
{
    return MPIDI_CH3_PktHandler_Init(handlers, MPIDI_CH3_PKT_END_CH3 + 1);
}

size_t rckmpi_header_bytes(unsigned type)
{
    switch (type) {
    case RCKMPI_VIA:
        return 2 * sizeof(unsigned);
    case RCKMPI_KNOCK:
        return 3 * sizeof(unsigned);
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

/* All has gone: connections whose closing handshake is over end now. */
static int close_waiting(int core)
{
    MPIDI_VC_t *vc;

    while ((vc = rckmpi_closing(core))) {
        vc->ch.closing = 0;
        int mpi_errno =
            MPIDI_CH3U_Handle_connection(vc, MPIDI_VC_EVENT_TERMINATED);
        if (mpi_errno)
            return mpi_errno;
    }
    return MPI_SUCCESS;
}

int rckmpi_advance(int core)
{
    int mpi_errno = MPI_SUCCESS, complete;
    struct rckmpi_link *link = &rckmpi_links[core];
    MPIR_Request *request;

    while ((request = link->first) && rckmpi_free(core)) {
        size_t sent =
            rckmpi_send(core, request->dev.iov, request->dev.iov_count);
        request->dev.iov_count =
            rckmpi_shorten(request->dev.iov, request->dev.iov_count, sent);
        if (request->dev.iov_count > 0)
            continue;
        mpi_errno = vector_done(request->rckmpi_vc, request, &complete);
        MPIR_ERR_CHECK(mpi_errno);
        if (complete)
            rckmpi_unqueue(link);
    }
    if (!link->first)
        mpi_errno = close_waiting(core);
fn_fail:
    return mpi_errno;
}

/* What the channel itself has to do with a packet. */
static int take_mark(int core, const unsigned *words)
{
    struct rckmpi_link *link = &rckmpi_links[core];

    link->header_bytes = 0;
    if (words[0] == RCKMPI_KNOCK)
        return rckmpi_knocked(core, words[1], words[2]);
    link->via = rckmpi_via(core, words[1]);
    return MPI_SUCCESS;
}

static int handle_packet(int core)
{
    struct rckmpi_link *link = &rckmpi_links[core];
    MPIDI_CH3_Pkt_t *packet = (MPIDI_CH3_Pkt_t *)link->header;
    MPIDI_VC_t *vc = link->via ? link->via : link->vc;
    intptr_t none = 0;

    link->header_bytes = 0;
    link->via = NULL;
    link->incoming_vc = vc;
    rckmpi_note(rckmpi_message_came, core, packet);
    /* A peer may speak first. */
    if (vc->state == MPIDI_VC_STATE_INACTIVE)
        MPIDI_CHANGE_VC_STATE(vc, ACTIVE);
    return handlers[packet->type](vc, packet, NULL, &none, &link->incoming);
}

/* Takes a packet's header, or a part of it; handles it when it is whole. */
static int take_header(int core, int *blocked)
{
    struct rckmpi_link *link = &rckmpi_links[core];
    unsigned *words = (unsigned *)link->header;
    size_t wanted = sizeof *words;

    if (link->header_bytes >= wanted)
        wanted = rckmpi_header_bytes(*words);
    wanted -= link->header_bytes;
    size_t arrived = rckmpi_arrived(core);
    size_t now = wanted < arrived ? wanted : arrived;
    /* Who sends knows this process by a group that is not known here yet; the
     * last byte stays where it is until then. */
    *blocked = link->header_bytes && now == wanted && *words < RCKMPI_KNOCK &&
               !link->vc && !link->via;
    if (*blocked)
        return MPI_SUCCESS;
    rckmpi_receive(core, link->header + link->header_bytes, now);
    link->header_bytes += now;
    if (now < wanted || link->header_bytes == sizeof *words)
        return MPI_SUCCESS;
    return *words >= RCKMPI_KNOCK ? take_mark(core, words)
                                  : handle_packet(core);
}

/* Takes data to where the current request wants them. */
static int take_data(int core)
{
    struct rckmpi_link *link = &rckmpi_links[core];
    MPIR_Request *request = link->incoming;
    int complete;

    while (request->dev.iov_count > 0) {
        struct iovec *part = request->dev.iov;
        size_t arrived = rckmpi_arrived(core);
        size_t now = part->iov_len < arrived ? part->iov_len : arrived;
        if (now == 0 && part->iov_len > 0)
            return MPI_SUCCESS;
        if (now > 0)
            rckmpi_receive(core, part->iov_base, now);
        request->dev.iov_count =
            rckmpi_shorten(part, request->dev.iov_count, now);
    }
    int mpi_errno = vector_done(link->incoming_vc, request, &complete);
    if (complete)
        link->incoming = NULL;
    return mpi_errno;
}

static int poll_peer(int core)
{
    int mpi_errno = MPI_SUCCESS, blocked = 0;
    unsigned found = rckmpi_look(core);
    struct rckmpi_link *link = &rckmpi_links[core];

    while (found & RCKMPI_ARRIVED && rckmpi_arrived(core) > 0 && !blocked) {
        mpi_errno =
            link->incoming ? take_data(core) : take_header(core, &blocked);
        MPIR_ERR_CHECK(mpi_errno);
    }
    if (found & RCKMPI_FREE && link->first)
        mpi_errno = rckmpi_advance(core);
fn_fail:
    return mpi_errno;
}

static int poll_all(void)
{
    int mpi_errno = MPI_SUCCESS;

    if (rckmpi_unbound)
        mpi_errno = rckmpi_bind_all();
    MPIR_ERR_CHECK(mpi_errno);
    rckmpi_round();
    for (int core = rckmpi_next(0); core < RCKMPI_MOST_RANKS;
         core = rckmpi_next(core + 1)) {
        mpi_errno = poll_peer(core);
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
        if (blocking)
            rckmpi_rest();
    } while (blocking && state->ch.completion_count ==
                             (int)MPIDI_CH3I_progress_completion_count);
fn_fail:
    if (blocking)
        state->ch.completion_count = (int)MPIDI_CH3I_progress_completion_count;
    return mpi_errno;
}
