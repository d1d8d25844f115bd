/*
 * rckmpi_chunks.c: the general purpose section: chunks in a row are filled and
 * taken as one.
 */
#include "rckmpi_chunks.h"

/* Chunks in a row, the first of them bit 31. */
static unsigned in_a_row(uint32_t chunks)
{
    unsigned count = 0;

    for (; chunks & 1u << 31; chunks <<= 1)
        count++;
    return count;
}

size_t rckmpi_fill_chunks(uint32_t chunks, struct cursor *from, size_t total,
                          uint32_t *sum)
{
    volatile char *own = rckmpi_mpb[rckmpi_my_core] + BUFFER_OFFSET;
    size_t done = 0;

    while (chunks) {
        unsigned count = in_a_row(chunks);
        if (count > 0) {
            size_t now = total - done;
            now = now < count * CHUNK ? now : count * CHUNK;
            *sum += rckmpi_put_lines(own, from, lines_of(now));
            done += now;
        }
        /* And the one behind them that is not there. */
        own += (count + 1) * CHUNK;
        chunks = count < CHUNKS - 1 ? chunks << (count + 1) : 0;
    }
    return done;
}

const volatile char *rckmpi_find(struct peer *peer, size_t at, size_t *run)
{
    if (at < PAYLOAD) {
        *run = PAYLOAD - at;
        return peer->mine + META + at;
    }
    size_t skip = (at - PAYLOAD) / CHUNK, within = (at - PAYLOAD) % CHUNK;
    unsigned n = 0;
    uint32_t bits = peer->arrived_chunks;
    for (;; n++, bits <<= 1)
        if (bits & 1u << 31 && skip-- == 0)
            break;
    *run = in_a_row(bits) * CHUNK - within;
    return peer->buffer + n * CHUNK + within;
}
