/*
 * ch3_istartmsg.c: sending at once, without a request if there is room.
 */
#include "mpidi_ch3_impl.h"

/* A message starts whole or not at all with its header: what is left of a
 * header that has begun would be in the caller's frame. */
static MPIR_Request *request_for(MPIDI_VC_t *vc, struct iovec *parts, int count,
                                 int from_header)
{
    MPIR_Request *request = MPIR_Request_create(MPIR_REQUEST_KIND__SEND);

    if (!request)
        return NULL;
    MPIR_Object_set_ref(request, 2);
    request->dev.OnDataAvail = NULL;
    rckmpi_keep(vc, request, parts, count, from_header);
    return request;
}

int MPIDI_CH3_iStartMsgv(MPIDI_VC_t *vc, struct iovec *parts, int count,
                         MPIR_Request **request)
{
    int mpi_errno = MPI_SUCCESS, from_header = 1;
    struct iovec whole[MPL_IOV_LIMIT + 1];
    int core = rckmpi_peer(vc);

    *request = NULL;
    count = rckmpi_prepare(vc, whole, parts, count);
    if (!rckmpi_links[core].first) {
        size_t sent = rckmpi_send(core, whole, count);
        from_header = sent == 0;
        count = rckmpi_shorten(whole, count, sent);
    }
    if (count > 0) {
        *request = request_for(vc, whole, count, from_header);
        MPIR_ERR_CHKANDJUMP(!*request, mpi_errno, MPI_ERR_OTHER, "**nomem");
        rckmpi_queue(&rckmpi_links[core], *request);
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
