/*
 * ch3_isend.c: sending with a request of MPICH's.
 */
#include "mpidi_ch3_impl.h"

/* What is left goes into the request: the header may be in the caller's
 * frame. */
static void keep(MPIR_Request *request, const struct iovec *parts, int count)
{
    for (int n = 0; n < count; n++)
        request->dev.iov[n] = parts[n];
    request->dev.iov_count = count;
    request->dev.pending_pkt = *(MPIDI_CH3_Pkt_t *)parts[0].iov_base;
    request->dev.iov[0].iov_base = &request->dev.pending_pkt;
}

/* In order behind what waits; then as much of it as there is room for. */
int MPIDI_CH3_iSendv(MPIDI_VC_t *vc, MPIR_Request *request, struct iovec *parts,
                     int count)
{
    MPIDI_CH3_Pkt_t *header = parts[0].iov_base;

    parts[0].iov_len = rckmpi_header_bytes(header->type);
    keep(request, parts, count);
    rckmpi_queue(&vc->ch, request);
    return vc->ch.first == request ? rckmpi_advance(vc) : MPI_SUCCESS;
}

int MPIDI_CH3_iSend(MPIDI_VC_t *vc, MPIR_Request *request, void *header,
                    intptr_t bytes)
{
    struct iovec part = {header, (size_t)bytes};

    return MPIDI_CH3_iSendv(vc, request, &part, 1);
}
