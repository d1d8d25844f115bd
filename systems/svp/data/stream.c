/*
 * stream.c: the bytes of a data description on their way.
 *
 * One side puts items in the order of the description, the other one gets them
 * in the same order. Messages are cut where they are full and, by the direct
 * transport, behind each item, as one send to a socket was for each.
 */
#include <string.h>

#include "svp_private.h"

void svp_stream_begin(struct stream *stream, int rank, uint32_t id,
                      bool to_parent, bool sends)
{
    stream->rank = rank;
    stream->id = id;
    stream->to_parent = to_parent;
    stream->sends = sends;
    stream->used = stream->read = stream->record = 0;
}

static void send_part(struct stream *stream, const void *from, uint32_t bytes)
{
    struct message message = {.kind = STREAM,
                              .bytes = bytes,
                              .id = stream->id,
                              .word = {stream->to_parent}};

    svp_send(stream->rank, &message, from);
}

void svp_stream_end(struct stream *stream)
{
    if (stream->used)
        send_part(stream, stream->buffer, stream->used);
    stream->used = 0;
}

void svp_stream_put(struct stream *stream, const void *from, uint32_t bytes)
{
    const char *at = from;

    if (bytes > PAYLOAD - stream->used)
        svp_stream_end(stream);
    for (; bytes > PAYLOAD; bytes -= PAYLOAD, at += PAYLOAD)
        send_part(stream, at, PAYLOAD);
    if (svp_transport == SVP_DIRECT) {
        if (bytes)
            send_part(stream, at, bytes);
        return;
    }
    memcpy(stream->buffer + stream->used, at, bytes);
    stream->used += bytes;
}

static uint32_t wait_for_part(struct stream *stream)
{
    struct waiting *waiting =
        stream->to_parent ? &svp_child_find(stream->id)->waiting
                          : &svp_family_find(stream->rank, stream->id)->waiting;
    uint32_t bytes;

    while (!(bytes =
                 svp_stream_ready(stream->rank, stream->id, stream->to_parent)))
        svp_wait(waiting);
    return bytes;
}

void svp_stream_get(struct stream *stream, void *to, uint32_t bytes)
{
    char *at = to;

    while (bytes) {
        uint32_t now = stream->used - stream->read;

        if (now == 0) {
            uint32_t part = wait_for_part(stream);

            if (part <= bytes) {
                svp_stream_take(stream->rank, at, part);
                at += part;
                bytes -= part;
            } else {
                svp_stream_take(stream->rank, stream->buffer, part);
                stream->used = part;
                stream->read = 0;
            }
            continue;
        }
        if (now > bytes)
            now = bytes;
        memcpy(at, stream->buffer + stream->read, now);
        stream->read += now;
        at += now;
        bytes -= now;
    }
}

/* Tells the reader of this message that it is there. */
void svp_stream_tell(int rank, const struct message *message)
{
    if (message->word[0])
        svp_wake(&svp_child_find(message->id)->waiting);
    else
        svp_wake(&svp_family_find(rank, message->id)->waiting);
}
