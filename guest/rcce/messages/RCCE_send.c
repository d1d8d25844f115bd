/*
 * RCCE_send.c: the sending half of a synchronous message.
 *
 * Pull: the sender puts a chunk into its own MPB and raises "sent" at the
 * receiver, who fetches the chunk and raises "ready" at the sender. Remote
 * reads move the data because a remote write costs the sender the same way
 * and leaves the receiver to fetch them again. "sent" carries the size of
 * the whole message; a receiver that expects another one says so in "ready"
 * and both calls fail. Bit flags carry nothing: there the sizes are the
 * program's affair.
 */
#include "RCCE_lib.h"

t_vcharp rcce_sent_line[RCCE_MAXNP];
t_vcharp rcce_ready_line[RCCE_MAXNP];
t_vcharp rcce_sent_bytes, rcce_ready_bytes;
t_vcharp rcce_combuf;
size_t rcce_chunk;
void (*rcce_drain_sends)(void);
/* Aliases with the names of private/RCCE_lib.h. */
extern t_vcharp RCCE_sent_flag[RCCE_MAXNP]
    __attribute__((alias("rcce_sent_line")));
extern t_vcharp RCCE_ready_flag[RCCE_MAXNP]
    __attribute__((alias("rcce_ready_line")));
extern t_vcharp RCCE_buff_ptr __attribute__((alias("rcce_combuf")));
extern size_t RCCE_chunk __attribute__((alias("rcce_chunk")));

/* Buffer and flags that a gory caller brought. */
int rcce_check_channel(const struct rcce_channel *channel)
{
    int error = rcce_check_signal(channel->ready);
    if (!error)
        error = rcce_check_signal(channel->sent);
    if (error)
        return error;
    if (channel->chunk == 0 || channel->chunk % RCCE_LINE_SIZE != 0)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (!channel->combuf || !rcce_in_buffer(channel->combuf, channel->chunk))
        return RCCE_ERROR_TARGET;
    return rcce_aligned(channel->combuf) ? RCCE_SUCCESS : RCCE_ERROR_ALIGNMENT;
}

/* Fills the own MPB from private memory; a last partial line is padded,
 * so that only whole lines travel. */
void rcce_fill(t_vcharp combuf, const char *buffer, size_t bytes)
{
    size_t whole = bytes & ~(size_t)(RCCE_LINE_SIZE - 1);

    /* No store may hit an old line in L1 and stay there. */
    rcce_invalidate_mpb();
    scc_copy_lines(combuf, buffer, whole);
    if (whole < bytes) {
        uint32_t line[RCCE_LINE_WORDS] = {0};
        char *pad = (char *)line;
        for (size_t i = whole; i < bytes; i++)
            pad[i - whole] = buffer[i];
        scc_copy_lines(combuf + whole, line, RCCE_LINE_SIZE);
    }
    /* "sent" must not overtake the last line. */
    rcce_push_wcb();
}

int rcce_transmit(const char *buffer, const struct rcce_channel *channel,
                  size_t size, int dest)
{
    int total = (int)size;

    while (size > 0) {
        size_t bytes = size < channel->chunk ? size : channel->chunk;
        rcce_fill(channel->combuf, buffer, bytes);
        rcce_signal_store(channel->sent, RCCE_FLAG_SET, total, dest);
        int answer =
            rcce_signal_wait(channel->ready, RCCE_FLAG_SET, rcce_my_rank);
        /* The receiver raises it again only after the next "sent". */
        rcce_signal_store(channel->ready, RCCE_FLAG_UNSET, 0, rcce_my_rank);
        if (answer == RCCE_MISMATCH)
            return RCCE_ERROR_MESSAGE_LENGTH;
        buffer += bytes;
        size -= bytes;
    }
    return RCCE_SUCCESS;
}

int rcce_check_send(const char *buffer, size_t size, int dest)
{
    /* A UE that sends to itself would wait for its own receive for ever. */
    if (!rcce_valid_ue(dest) || dest == rcce_my_rank)
        return RCCE_ERROR_ID;
    if (!buffer)
        return RCCE_ERROR_SOURCE;
    return size == 0 || size > RCCE_MESSAGE_MAX ? RCCE_ERROR_MESSAGE_LENGTH
                                                : RCCE_SUCCESS;
}

struct rcce_channel rcce_channel_to(int dest)
{
    return (struct rcce_channel){rcce_combuf, rcce_chunk,
                                 rcce_ready_signal(dest),
                                 rcce_sent_signal(rcce_my_rank)};
}

int RCCE_send(char *buffer, size_t size, int dest)
{
    int error = rcce_check_send(buffer, size, dest);
    if (!error && !rcce_combuf)
        error = RCCE_ERROR_COMM_UNDEFINED;
    if (!error && rcce_drain_sends)
        rcce_drain_sends();
    if (!error) {
        struct rcce_channel channel = rcce_channel_to(dest);
        error = rcce_transmit(buffer, &channel, size, dest);
        /* Not before it: the partner has work now, too. */
        if (!error)
            rcce_log_send(dest, size);
    }
    return error ? rcce_fail_message(rcce_debug_comm, error, size, dest)
                 : RCCE_SUCCESS;
}
