/*
 * RCCE_gory.c: two-sided messages through a buffer and flags that the
 * caller brings. Compiled twice, like RCCE_flags.c.
 */
#include "RCCE_lib.h"

static int make_channel(struct rcce_channel *channel, t_vcharp combuf,
                        size_t chunk, const RCCE_FLAG *ready,
                        const RCCE_FLAG *sent)
{
    if (!ready || !sent)
        return RCCE_ERROR_FLAG_UNDEFINED;
    *channel = (struct rcce_channel){combuf, chunk, rcce_signal_of(*ready),
                                     rcce_signal_of(*sent)};
    return rcce_check_channel(channel);
}

int RCCE_send_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int dest)
{
    struct rcce_channel channel;
    int error = rcce_check_send(buffer, size, dest);
    if (!error)
        error = make_channel(&channel, combuf, chunk, ready, sent);
    if (!error) {
        error = rcce_transmit(buffer, &channel, size, dest);
        if (!error)
            rcce_log_send(dest, size);
    }
    return error ? rcce_fail(rcce_debug_comm, error) : RCCE_SUCCESS;
}

int RCCE_recv_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int source)
{
    struct rcce_channel channel;
    int error = rcce_check_recv(buffer, size, source);
    if (!error)
        error = make_channel(&channel, combuf, chunk, ready, sent);
    if (!error)
        error = rcce_receive(buffer, &channel, size, source);
    return error ? rcce_fail(rcce_debug_comm, error) : RCCE_SUCCESS;
}

/* Receives when the first chunk is there; else reports that it is not. */
int RCCE_recv_test_gory(char *buffer, t_vcharp combuf, size_t chunk,
                        RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size,
                        int source, int *done)
{
    struct rcce_channel channel;
    int along;
    int error =
        done ? rcce_check_recv(buffer, size, source) : RCCE_ERROR_VAL_UNDEFINED;
    if (!error)
        error = make_channel(&channel, combuf, chunk, ready, sent);
    if (!error) {
        *done = rcce_signal_load(channel.sent, &along, rcce_my_rank) ==
                RCCE_FLAG_SET;
        if (*done)
            error = rcce_receive(buffer, &channel, size, source);
    }
    return error ? rcce_fail(rcce_debug_comm, error) : RCCE_SUCCESS;
}
