/*
 * iRCCE_mcast.c: one message to all others. The sender fills its buffer once
 * for each chunk and raises "sent" at everybody; for a receiver it is a
 * message like any other.
 */
#include "iRCCE_lib.h"

#include <string.h>

/* UEs that expect another size get no more of the message. */
static unsigned char out[RCCE_MAXNP];

static void raise_all(int total)
{
    for (int ue = 0; ue < rcce_ues; ue++)
        if (!out[ue])
            rcce_signal_store(rcce_line_signal(rcce_sent_line[rcce_my_rank]),
                              RCCE_FLAG_SET, total, ue);
}

static int collect_all(void)
{
    int error = RCCE_SUCCESS;

    for (int ue = 0; ue < rcce_ues; ue++) {
        struct rcce_signal ready = rcce_line_signal(rcce_ready_line[ue]);
        if (out[ue])
            continue;
        out[ue] = rcce_signal_wait(ready, RCCE_FLAG_SET, rcce_my_rank) ==
                  RCCE_MISMATCH;
        rcce_signal_store(ready, RCCE_FLAG_UNSET, 0, rcce_my_rank);
        if (out[ue])
            error = RCCE_ERROR_MESSAGE_LENGTH;
    }
    return error;
}

int iRCCE_msend(char *buffer, ssize_t size)
{
    int error = ircce_check();
    if (!error && size <= 0)
        error = RCCE_ERROR_MESSAGE_LENGTH;
    if (!error && !buffer)
        error = RCCE_ERROR_SOURCE;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    iRCCE_isend_wait(NULL);
    memset(out, 0, sizeof out);
    out[rcce_my_rank] = 1;
    for (int ue = 0; ue < rcce_ues; ue++)
        if (!out[ue])
            rcce_log_send(ue, (size_t)size);
    for (ssize_t at = 0; at < size; at += (ssize_t)rcce_chunk) {
        size_t rest = (size_t)(size - at);
        rcce_fill(rcce_combuf, buffer + at,
                  rest < rcce_chunk ? rest : rcce_chunk);
        raise_all((int)size);
        if (collect_all())
            error = RCCE_ERROR_MESSAGE_LENGTH;
    }
    return error ? rcce_fail(rcce_debug_comm, error) : iRCCE_SUCCESS;
}

int iRCCE_mrecv(char *buffer, ssize_t size, int source)
{
    return iRCCE_irecv(buffer, size, source, NULL);
}

int iRCCE_mcast(char *buffer, size_t size, int root)
{
    if (!rcce_valid_ue(root))
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_ID);
    if (root == rcce_my_rank)
        return iRCCE_msend(buffer, (ssize_t)size);
    return iRCCE_mrecv(buffer, (ssize_t)size, root);
}
