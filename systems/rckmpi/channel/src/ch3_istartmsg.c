/*
 * ch3_istartmsg.c: sending at once, without a request if there is room.
 */
#include "mpidi_ch3_impl.h"

static MPIR_Request *request_for(struct iovec *parts, int count, int whole)
{
    MPIR_Request *request = MPIR_Request_create(MPIR_REQUEST_KIND__SEND);

    if (!request)
        return NULL;
    MPIR_Object_set_ref(request, 2);
    for (int n = 0; n < count; n++)
        request->dev.iov[n] = parts[n];
    request->dev.iov_count = count;
    request->dev.OnDataAvail = NULL;
    /* The header is in the caller's frame, and goes whole or not at all. */
    if (whole) {
        request->dev.pending_pkt = *(MPIDI_CH3_Pkt_t *)parts[0].iov_base;
        request->dev.iov[0].iov_base = &request->dev.pending_pkt;
    }
    return request;
}

int MPIDI_CH3_iStartMsgv(MPIDI_VC_t *vc, struct iovec *parts, int count,
                         MPIR_Request **request)
{
    int mpi_errno = MPI_SUCCESS, whole = 1;
    MPIDI_CH3_Pkt_t *header = parts[0].iov_base;

    *request = NULL;
    parts[0].iov_len = rckmpi_header_bytes(header->type);
    if (!vc->ch.first) {
        size_t sent = rckmpi_send(vc->ch.peer, parts, count);
        whole = sent == 0;
        count = rckmpi_shorten(parts, count, sent);
    }
    if (count > 0) {
        *request = request_for(parts, count, whole);
        MPIR_ERR_CHKANDJUMP(!*request, mpi_errno, MPI_ERR_OTHER, "**nomem");
        rckmpi_queue(&vc->ch, *request);
    }
fn_fail:
    return mpi_errno;
}

int MPIDI_CH3_iStartMsg(MPIDI_VC_t *vc, void *header, intptr_t bytes,
                        MPIR_Request **request)
{
    struct iovec part = {header, (size_t)bytes};

    return MPIDI_CH3_iStartMsgv(vc, &part, 1, request);
}
