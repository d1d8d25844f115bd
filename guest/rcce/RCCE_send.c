/*
 * RCCE_send.c: the sending half of a synchronous message.
 *
 * Pull: the sender puts a chunk into its own MPB and raises "sent" at the
 * receiver, who fetches the chunk and raises "ready" at the sender. Remote
 * reads move the data because a remote write costs the sender the same way
 * and leaves the receiver to fetch them again.
 */
#include "RCCE_lib.h"

RCCE_FLAG rcce_sent_flag[RCCE_MAXNP];
RCCE_FLAG rcce_ready_flag[RCCE_MAXNP];
t_vcharp rcce_combuf;
size_t rcce_chunk;

/* Buffer and flags that a gory caller brought. */
int rcce_check_channel(t_vcharp combuf, size_t chunk, const RCCE_FLAG *ready,
                       const RCCE_FLAG *sent)
{
    if (!ready || !sent)
        return RCCE_ERROR_FLAG_UNDEFINED;
    int error = rcce_check_flag(*ready);
    if (!error)
        error = rcce_check_flag(*sent);
    if (error)
        return error;
    if (chunk == 0 || chunk % RCCE_LINE_SIZE != 0)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (!combuf || !rcce_in_buffer(combuf, chunk))
        return RCCE_ERROR_TARGET;
    return rcce_aligned(combuf) ? RCCE_SUCCESS : RCCE_ERROR_ALIGNMENT;
}

/* Fills the own MPB from private memory; a last partial line is padded,
 * so that only whole lines travel. */
static void fill(t_vcharp combuf, const char *buffer, size_t bytes)
{
    size_t whole = bytes & ~(size_t)(RCCE_LINE_SIZE - 1);

    /* No store may hit an old line in L1 and stay there. */
    rcce_invalidate_mpb();
    rcce_copy_lines(combuf, buffer, whole);
    if (whole < bytes) {
        uint32_t line[RCCE_LINE_WORDS] = {0};
        char *pad = (char *)line;
        for (size_t i = whole; i < bytes; i++)
            pad[i - whole] = buffer[i];
        rcce_copy_lines(combuf + whole, line, RCCE_LINE_SIZE);
    }
    /* "sent" must not overtake the last line. */
    rcce_push_wcb();
}

static void send(const char *buffer, const struct rcce_channel *channel,
                 size_t size, int dest)
{
    while (size > 0) {
        size_t bytes = size < channel->chunk ? size : channel->chunk;
        fill(channel->combuf, buffer, bytes);
        rcce_flag_store(channel->sent, RCCE_FLAG_SET, dest);
        rcce_flag_wait(channel->ready, RCCE_FLAG_SET, rcce_my_rank);
        /* The receiver raises it again only after the next "sent". */
        rcce_flag_store(channel->ready, RCCE_FLAG_UNSET, rcce_my_rank);
        buffer += bytes;
        size -= bytes;
    }
}

static int check(const char *buffer, size_t size, int dest)
{
    /* A UE that sends to itself would wait for its own receive for ever. */
    if (!rcce_valid_ue(dest) || dest == rcce_my_rank)
        return RCCE_ERROR_ID;
    if (!buffer)
        return RCCE_ERROR_SOURCE;
    return size == 0 ? RCCE_ERROR_MESSAGE_LENGTH : RCCE_SUCCESS;
}

int RCCE_send(char *buffer, size_t size, int dest)
{
    int error = check(buffer, size, dest);
    if (!error && !rcce_combuf)
        error = RCCE_ERROR_COMM_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    struct rcce_channel channel = {rcce_combuf, rcce_chunk,
                                   rcce_ready_flag[dest],
                                   rcce_sent_flag[rcce_my_rank]};
    send(buffer, &channel, size, dest);
    return RCCE_SUCCESS;
}

int RCCE_send_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int dest)
{
    int error = check(buffer, size, dest);
    if (!error)
        error = rcce_check_channel(combuf, chunk, ready, sent);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    struct rcce_channel channel = {combuf, chunk, *ready, *sent};
    send(buffer, &channel, size, dest);
    return RCCE_SUCCESS;
}
