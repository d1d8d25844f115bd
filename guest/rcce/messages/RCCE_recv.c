/*
 * RCCE_recv.c: the receiving half of a synchronous message (see
 * RCCE_send.c for the protocol).
 */
#include "RCCE_lib.h"

int rcce_receiving = -1;
void (*rcce_drain_recvs)(int source);
int (*rcce_expected)(int source);

/* Fetches a chunk from the sender's MPB into private memory. */
void rcce_fetch(char *buffer, t_vcharp combuf, size_t bytes, int source)
{
    t_vcharp remote = rcce_on(combuf, source);
    size_t whole = bytes & ~(size_t)(RCCE_LINE_SIZE - 1);

    /* L1 may hold lines of the chunk before. */
    rcce_invalidate_mpb();
    scc_copy_lines(buffer, remote, whole);
    for (size_t i = whole; i < bytes; i++)
        buffer[i] = (char)remote[i];
}

/* The rest of a message that comes in pieces. It
 * is fetched to its end even when it has the wrong size, because the sender
 * may be ahead of an answer. */
static int receive_pieces(char *buffer, const struct rcce_channel *channel,
                          size_t size, int source, int along)
{
    size_t total = (size_t)(along & ~RCCE_PIPED), piece = rcce_piece();
    int pieces = (int)((total + piece - 1) / piece);
    int fits = total == size;

    for (int done = 0; done < pieces;) {
        if (rcce_signal_load(channel->sent, &along, rcce_my_rank) <= done) {
            if (rcce_idle)
                rcce_idle();
            continue;
        }
        size_t at = (size_t)done * piece;
        size_t bytes = total - at < piece ? total - at : piece;
        if (fits)
            rcce_fetch(buffer + at,
                       channel->combuf + (size_t)(done % 2) * piece, bytes,
                       source);
        if (++done == pieces)
            rcce_signal_store(channel->sent, 0, 0, rcce_my_rank);
        rcce_signal_store(channel->ready, done, fits ? 0 : RCCE_MISMATCH,
                          source);
    }
    return fits ? RCCE_SUCCESS : RCCE_ERROR_MESSAGE_LENGTH;
}

int rcce_receive(char *buffer, const struct rcce_channel *channel, size_t size,
                 int source)
{
    int total = (int)size;

    while (size > 0) {
        size_t bytes = size < channel->chunk ? size : channel->chunk;
        int sent = rcce_signal_await(channel->sent);
        if (sent & RCCE_PIPED)
            return receive_pieces(buffer, channel, size, source, sent);
        int fits = channel->sent.bit >= 0 || sent == total;
        /* Reset before "ready" lets the sender raise it again. */
        rcce_signal_store(channel->sent, RCCE_FLAG_UNSET, 0, rcce_my_rank);
        if (fits)
            rcce_fetch(buffer, channel->combuf, bytes, source);
        rcce_signal_store(channel->ready, RCCE_FLAG_SET,
                          fits ? 0 : RCCE_MISMATCH, source);
        if (!fits)
            return RCCE_ERROR_MESSAGE_LENGTH;
        buffer += bytes;
        size -= bytes;
    }
    return RCCE_SUCCESS;
}

int rcce_check_recv(const char *buffer, size_t size, int source)
{
    if (!rcce_valid_ue(source) || source == rcce_my_rank)
        return RCCE_ERROR_ID;
    if (!buffer)
        return RCCE_ERROR_TARGET;
    return size == 0 || size > RCCE_MESSAGE_MAX ? RCCE_ERROR_MESSAGE_LENGTH
                                                : RCCE_SUCCESS;
}

struct rcce_channel rcce_channel_from(int source)
{
    return (struct rcce_channel){rcce_combuf, rcce_chunk,
                                 rcce_ready_signal(rcce_my_rank),
                                 rcce_sent_signal(source)};
}

static int check(const char *buffer, size_t size, int source)
{
    int error = rcce_check_recv(buffer, size, source);

    return !error && !rcce_combuf ? RCCE_ERROR_COMM_UNDEFINED : error;
}

int RCCE_recv(char *buffer, size_t size, int source)
{
    int error = check(buffer, size, source);
    if (!error) {
        struct rcce_channel channel = rcce_channel_from(source);
        if (rcce_drain_recvs)
            rcce_drain_recvs(source);
        rcce_receiving = source;
        error = rcce_receive(buffer, &channel, size, source);
        rcce_receiving = -1;
    }
    return error ? rcce_fail_message(rcce_debug_comm, error, size, source)
                 : RCCE_SUCCESS;
}

/* Whether a message waits that no started receive will take. A program may
 * ask this in a loop, so what was started goes on here. */
static int arrived(int source)
{
    int along;

    if (rcce_idle)
        rcce_idle();
    if (rcce_expected && rcce_expected(source))
        return 0;
    return rcce_signal_load(rcce_sent_signal(source), &along, rcce_my_rank) !=
           0;
}

int RCCE_recv_test(char *buffer, size_t size, int source, int *done)
{
    int error = done ? check(buffer, size, source) : RCCE_ERROR_VAL_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    *done = arrived(source);
    return *done ? RCCE_recv(buffer, size, source) : RCCE_SUCCESS;
}

/* The flag stays raised, so the message waits for its RCCE_recv. */
int RCCE_peek(char *buffer, size_t size, int source)
{
    int error = check(buffer, size, source);
    if (!error && size > rcce_chunk)
        error = RCCE_ERROR_MESSAGE_LENGTH;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    if (!arrived(source))
        return 1;
    rcce_fetch(buffer, rcce_combuf, size, source);
    return 0;
}
