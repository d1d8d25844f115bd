/*
 * iRCCE_query.c: what a request says of its message.
 */
#include "iRCCE_lib.h"

int iRCCE_get_dest(iRCCE_SEND_REQUEST *request)
{
    return request ? request->dest : iRCCE_ERROR;
}

/* With iRCCE_ANY_SOURCE this is the sender once there is one. */
int iRCCE_get_source(iRCCE_RECV_REQUEST *request)
{
    return request ? request->source : iRCCE_ERROR;
}

int iRCCE_get_size(iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv)
{
    if (send)
        return (int)send->size;
    return recv ? (int)recv->size : iRCCE_ERROR;
}

int iRCCE_get_length(void)
{
    return ircce_length;
}
