/*
 * RCCE_recv.c: the receiving half of a synchronous message (see
 * RCCE_send.c for the protocol).
 */
#include "RCCE_lib.h"

/* Fetches a chunk from the sender's MPB into private memory. */
static void fetch(char *buffer, t_vcharp combuf, size_t bytes, int source)
{
    t_vcharp remote = rcce_on(combuf, source);
    size_t whole = bytes & ~(size_t)(RCCE_LINE_SIZE - 1);

    /* L1 may hold lines of the chunk before. */
    rcce_invalidate_mpb();
    rcce_copy_lines(buffer, remote, whole);
    for (size_t i = whole; i < bytes; i++)
        buffer[i] = (char)remote[i];
}

static void receive(char *buffer, const struct rcce_channel *channel,
                    size_t size, int source)
{
    while (size > 0) {
        size_t bytes = size < channel->chunk ? size : channel->chunk;
        rcce_flag_wait(channel->sent, RCCE_FLAG_SET, rcce_my_rank);
        /* Reset before "ready" lets the sender raise it again. */
        rcce_flag_store(channel->sent, RCCE_FLAG_UNSET, rcce_my_rank);
        fetch(buffer, channel->combuf, bytes, source);
        rcce_flag_store(channel->ready, RCCE_FLAG_SET, source);
        buffer += bytes;
        size -= bytes;
    }
}

static int check(const char *buffer, size_t size, int source)
{
    if (!rcce_valid_ue(source) || source == rcce_my_rank)
        return RCCE_ERROR_ID;
    if (!buffer)
        return RCCE_ERROR_TARGET;
    return size == 0 ? RCCE_ERROR_MESSAGE_LENGTH : RCCE_SUCCESS;
}

static int basic_channel(struct rcce_channel *channel, int source)
{
    if (!rcce_combuf)
        return RCCE_ERROR_COMM_UNDEFINED;
    *channel = (struct rcce_channel){rcce_combuf, rcce_chunk,
                                     rcce_ready_flag[rcce_my_rank],
                                     rcce_sent_flag[source]};
    return RCCE_SUCCESS;
}

/* Receives when the first chunk is there; else reports that it is not. */
static void test(char *buffer, const struct rcce_channel *channel, size_t size,
                 int source, int *done)
{
    *done = rcce_flag_load(channel->sent, rcce_my_rank) == RCCE_FLAG_SET;
    if (*done)
        receive(buffer, channel, size, source);
}

int RCCE_recv(char *buffer, size_t size, int source)
{
    struct rcce_channel channel;
    int error = check(buffer, size, source);
    if (!error)
        error = basic_channel(&channel, source);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    receive(buffer, &channel, size, source);
    return RCCE_SUCCESS;
}

int RCCE_recv_test(char *buffer, size_t size, int source, int *done)
{
    struct rcce_channel channel;
    int error = done ? check(buffer, size, source) : RCCE_ERROR_VAL_UNDEFINED;
    if (!error)
        error = basic_channel(&channel, source);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    test(buffer, &channel, size, source, done);
    return RCCE_SUCCESS;
}

int RCCE_recv_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int source)
{
    int error = check(buffer, size, source);
    if (!error)
        error = rcce_check_channel(combuf, chunk, ready, sent);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    struct rcce_channel channel = {combuf, chunk, *ready, *sent};
    receive(buffer, &channel, size, source);
    return RCCE_SUCCESS;
}

int RCCE_recv_test_gory(char *buffer, t_vcharp combuf, size_t chunk,
                        RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size,
                        int source, int *done)
{
    int error = done ? check(buffer, size, source) : RCCE_ERROR_VAL_UNDEFINED;
    if (!error)
        error = rcce_check_channel(combuf, chunk, ready, sent);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    struct rcce_channel channel = {combuf, chunk, *ready, *sent};
    test(buffer, &channel, size, source, done);
    return RCCE_SUCCESS;
}
