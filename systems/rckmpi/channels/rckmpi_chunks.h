/*
 * rckmpi_chunks.h: how the improved channel divides an MPB into sections and a
 * general purpose section of chunks.
 */
#ifndef RCKMPI_CHUNKS_H
#define RCKMPI_CHUNKS_H

#include "../rckmpi_private.h"

#define SECTION 64u
#define META 16u
#define PAYLOAD (SECTION - META)
#define HEAD (LINE - META)
#define CHUNKS 32u
#define CHUNK 128u
#define BUFFER_OFFSET (RCKMPI_MOST_RANKS * SECTION)

static inline size_t lines_of(size_t bytes)
{
    return (bytes + LINE - 1) / LINE;
}

/* Fills chunks (a bit each in `chunks`) of this core's general purpose section
 * with the next bytes of a message of `total` bytes; returns how many bytes
 * they took. Adds the sum of their words to `sum`. */
size_t rckmpi_fill_chunks(uint32_t chunks, struct cursor *from, size_t total,
                          uint32_t *sum);
/* The address of byte `at` of the message that arrives from `peer`. `run`: how
 * many bytes from there on lie one after the other, until the section's payload
 * or a row of neighbouring chunks ends. */
const volatile char *rckmpi_find(struct peer *peer, size_t at, size_t *run);

#endif
