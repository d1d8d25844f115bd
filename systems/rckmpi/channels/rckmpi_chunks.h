/*
 * rckmpi_chunks.h: how the improved channel divides an MPB into sections and a
 * general purpose section of chunks.
 */
#ifndef RCKMPI_CHUNKS_H
#define RCKMPI_CHUNKS_H

#include "../rckmpi_private.h"

#define SECTION 64u              /* bytes; the metadata come first */
#define META 16u                 /* bytes of metadata */
#define PAYLOAD (SECTION - META) /* bytes of the stream in a section */
#define HEAD (LINE - META)       /* of these, in the section's first line */
#define CHUNKS 32u
#define CHUNK 128u /* bytes */
#define BUFFER_OFFSET (RCKMPI_MOST_RANKS * SECTION)

static inline size_t lines_of(size_t bytes)
{
    return (bytes + LINE - 1) / LINE;
}

/* Fills chunks (a bit each in `chunks`; bit 31 is the first) of this core's
 * general purpose section with the next bytes of a stream of which `total`
 * bytes remain; returns how many bytes the chunks took. Adds the sum of the
 * words written to `sum`. */
size_t rckmpi_fill_chunks(uint32_t chunks, struct cursor *from, size_t total,
                          uint32_t *sum);
/* The address of byte `at` of the message that arrives from `peer`; `at` must
 * be less than the message's length. Stores in `run` how many bytes from there
 * on lie one after the other, until the section's payload or a row of
 * neighbouring chunks ends (which may be behind the message's end). */
const volatile char *rckmpi_find(struct peer *peer, size_t at, size_t *run);

#endif
