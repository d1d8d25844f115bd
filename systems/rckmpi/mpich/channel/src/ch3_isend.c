/*
 * ch3_isend.c: sending, at once if there is room, else by a request of
 * MPICH's that waits for its turn.
 */
#include "mpidi_ch3_impl.h"

void rckmpi_note(void (*note)(int core, size_t bytes, int tag, int context),
                 int core, const MPIDI_CH3_Pkt_t *packet)
{
    const MPIDI_Message_match_parts_t *match = &packet->eager_send.match.parts;
    size_t bytes = (size_t)packet->eager_send.data_sz;

    switch (packet->type) {
#if defined(USE_EAGER_SHORT)
    case MPIDI_CH3_PKT_EAGERSHORT_SEND:
        bytes = (size_t)packet->eagershort_send.data_sz;
        break;
#endif
    case MPIDI_CH3_PKT_EAGER_SEND:
    case MPIDI_CH3_PKT_EAGER_SYNC_SEND:
    case MPIDI_CH3_PKT_READY_SEND:
    case MPIDI_CH3_PKT_RNDV_REQ_TO_SEND:
        break;
    default:
        return;
    }
    note(core, bytes, match->tag, match->context_id);
}

int rckmpi_prepare(MPIDI_VC_t *vc, struct iovec *room,
                   const struct iovec *parts, int count)
{
    const MPIDI_CH3_Pkt_t *header = parts[0].iov_base;
    int marks = 0;

    if (vc->ch.mark[0]) {
        room[0] = (struct iovec){vc->ch.mark, sizeof vc->ch.mark};
        marks = 1;
    }
    for (int n = 0; n < count; n++)
        room[marks + n] = parts[n];
    room[marks].iov_len = rckmpi_header_bytes(header->type);
    rckmpi_note(rckmpi_message_sent, vc->ch.peer, header);
    return marks + count;
}

void rckmpi_keep(MPIDI_VC_t *vc, MPIR_Request *request,
                 const struct iovec *parts, int count, int from_header)
{
    int at = vc->ch.mark[0] && parts[0].iov_base == vc->ch.mark;

    for (int n = 0; n < count; n++)
        request->dev.iov[n] = parts[n];
    request->dev.iov_count = count;
    request->rckmpi_vc = vc;
    if (!from_header)
        return;
    request->dev.pending_pkt = *(MPIDI_CH3_Pkt_t *)parts[at].iov_base;
    request->dev.iov[at].iov_base = &request->dev.pending_pkt;
}

/* In order behind what waits; then as much of it as there is room for. */
int MPIDI_CH3_iSendv(MPIDI_VC_t *vc, MPIR_Request *request, struct iovec *parts,
                     int count)
{
    struct iovec whole[MPL_IOV_LIMIT + 1];
    int core = rckmpi_peer(vc);
    struct rckmpi_link *link = &rckmpi_links[core];

    count = rckmpi_prepare(vc, whole, parts, count);
    rckmpi_keep(vc, request, whole, count, 1);
    rckmpi_queue(link, request);
    return link->first == request ? rckmpi_advance(core) : MPI_SUCCESS;
}

int MPIDI_CH3_iSend(MPIDI_VC_t *vc, MPIR_Request *request, void *header,
                    intptr_t bytes)
{
    struct iovec part = {header, (size_t)bytes};

    return MPIDI_CH3_iSendv(vc, request, &part, 1);
}
