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
    for (; bytes > svp_wire->most;
         bytes -= svp_wire->most, at += svp_wire->most)
        send_part(stream, at, svp_wire->most);
    if (svp_transport == SVP_DIRECT || bytes > PAYLOAD) {
        if (bytes)
            send_part(stream, at, bytes);
        return;
    }
    memcpy(stream->buffer + stream->used, at, bytes);
    stream->used += bytes;
}

/* Some of the next message's bytes: into `to` if all of them are wanted, or
 * into the buffer. */
static uint32_t get_part(struct stream *stream, void *to, uint32_t bytes)
{
    struct waiting *waiting =
        stream->to_parent ? &svp_child_find(stream->id)->waiting
                          : &svp_family_find(stream->rank, stream->id)->waiting;
    uint32_t left =
        svp_wire->stream_ready(stream->rank, stream->id, stream->to_parent);
    uint32_t now = 0, got = 0;

    if (left && left <= bytes) {
        now = got = svp_wire->stream_take(stream->rank, to, left);
    } else if (left) {
        stream->read = 0;
        now = stream->used = svp_wire->stream_take(
            stream->rank, stream->buffer, left < PAYLOAD ? left : PAYLOAD);
    }
    if (!now)
        svp_wait(waiting);
    return got;
}

void svp_stream_get(struct stream *stream, void *to, uint32_t bytes)
{
    char *at = to;

    while (bytes) {
        uint32_t now = stream->used - stream->read;

        if (now == 0) {
            now = get_part(stream, at, bytes);
        } else {
            now = now < bytes ? now : bytes;
            memcpy(at, stream->buffer + stream->read, now);
            stream->read += now;
        }
        at += now;
        bytes -= now;
    }
}

/* Notifies the reader of this message that it has come. */
void svp_stream_tell(int rank, const struct message *message)
{
    if (message->word[0])
        svp_wake(&svp_child_find(message->id)->waiting);
    else
        svp_wake(&svp_family_find(rank, message->id)->waiting);
}
