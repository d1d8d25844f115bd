/*
 * xdr.c: elements as XDR has them [rfc-4506], in records [rfc-5531, 11].
 *
 * Each element is a multiple of four bytes, the highest byte first. A record
 * goes in fragments: a word with the length, whose highest bit marks the last
 * one, and the bytes. An array's length stands before its elements.
 */
#include <string.h>

#include "svp_private.h"

#define FRAGMENT 4000u /* bytes, as records over sockets have them */
#define LAST 0x80000000u

const uint8_t svp_type_bytes[] = {
    [SVP_CHAR] = 1,  [SVP_SHORT] = 2, [SVP_INT] = 4,
    [SVP_HYPER] = 8, [SVP_FLOAT] = 4, [SVP_DOUBLE] = 8,
};

static uint32_t swap(uint32_t word)
{
    return __builtin_bswap32(word);
}

static void end_fragment(struct stream *stream, uint32_t last)
{
    uint32_t head = swap((stream->used - 4) | last);

    memcpy(stream->buffer, &head, 4);
    svp_stream_end(stream);
}

void svp_xdr_end(struct stream *stream)
{
    if (stream->used)
        end_fragment(stream, LAST);
}

static void put_word(struct stream *stream, uint32_t word)
{
    if (stream->used + 4 > FRAGMENT)
        end_fragment(stream, 0);
    if (stream->used == 0)
        stream->used = 4;
    word = swap(word);
    memcpy(stream->buffer + stream->used, &word, 4);
    stream->used += 4;
}

static uint32_t get_word(struct stream *stream)
{
    uint32_t word;

    if (stream->record == 0) {
        svp_stream_get(stream, &word, 4);
        stream->record = swap(word) & ~LAST;
    }
    svp_stream_get(stream, &word, 4);
    stream->record -= 4;
    return swap(word);
}

static void word(struct stream *stream, uint32_t *value)
{
    if (stream->sends)
        put_word(stream, *value);
    else
        *value = get_word(stream);
}

static void xdr_char(struct stream *stream, void *at)
{
    uint32_t value = *(unsigned char *)at;

    word(stream, &value);
    *(unsigned char *)at = (unsigned char)value;
}

static void xdr_short(struct stream *stream, void *at)
{
    uint32_t value = *(uint16_t *)at;

    word(stream, &value);
    *(uint16_t *)at = (uint16_t)value;
}

static void xdr_int(struct stream *stream, void *at)
{
    word(stream, at);
}

static void xdr_hyper(struct stream *stream, void *at)
{
    uint32_t *half = at;

    word(stream, &half[1]);
    word(stream, &half[0]);
}

/* Numbers with a point have the layout of whole ones of their size. */
static void (*const filters[])(struct stream *, void *) = {
    [SVP_CHAR] = xdr_char,   [SVP_SHORT] = xdr_short, [SVP_INT] = xdr_int,
    [SVP_HYPER] = xdr_hyper, [SVP_FLOAT] = xdr_int,   [SVP_DOUBLE] = xdr_hyper,
};

void svp_xdr(struct stream *stream, void *at, size_t count, enum svp_type type)
{
    char *element = at;

    for (; count; count--, element += svp_type_bytes[type])
        filters[type](stream, element);
}
