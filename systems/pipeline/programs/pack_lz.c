/*
 * pack_lz.c: compression in LZ4's block format [lz4-block].
 *
 * A block is a list of sequences: a token (lengths of literals and match, 4
 * bits each, longer ones go on in bytes of 255), the literals, and 16 bits of
 * distance back. The format wants the last 5 bytes as literals, and no match
 * that begins in the last 12.
 */
#include <string.h>

#include "pack.h"

#define HASH_BITS 12
#define SHORTEST 4
#define LAST_LITERALS 5
#define LAST_MATCH 12
#define FARTHEST 65535

static uint32_t word_at(const unsigned char *at)
{
    uint32_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

static unsigned hash(uint32_t word)
{
    return word * 2654435761u >> (32 - HASH_BITS);
}

/* What a length of 15 or more has behind its 4 bits. */
static unsigned char *put_length(unsigned char *out, size_t length)
{
    for (length -= 15; length >= 255; length -= 255)
        *out++ = 255;
    *out++ = (unsigned char)length;
    return out;
}

static unsigned char *put_sequence(unsigned char *out,
                                   const unsigned char *literals, size_t count,
                                   size_t distance, size_t match)
{
    size_t rest = match ? match - SHORTEST : 0;
    unsigned char *token = out++;

    *token = (unsigned char)((count < 15 ? count : 15) << 4 |
                             (rest < 15 ? rest : 15));
    if (count >= 15)
        out = put_length(out, count);
    memcpy(out, literals, count);
    out += count;
    if (match) {
        *out++ = (unsigned char)distance;
        *out++ = (unsigned char)(distance >> 8);
        if (rest >= 15)
            out = put_length(out, rest);
    }
    return out;
}

/* Room that a sequence with so many literals may need. */
static size_t most(size_t literals, size_t match)
{
    return literals + literals / 255 + match / 255 + 8;
}

size_t pack_compress(const unsigned char *in, size_t count, unsigned char *out)
{
    static uint32_t seen[1 << HASH_BITS];
    unsigned char *start = out, *limit = out + count;
    size_t literals = 0, i = 0;

    memset(seen, 0, sizeof seen);
    while (i + LAST_MATCH < count) {
        uint32_t word = word_at(in + i), *entry = &seen[hash(word)];
        /* 0 is "not seen": places are kept plus one. */
        size_t back = *entry ? i + 1 - *entry : 0;

        *entry = (uint32_t)i + 1;
        if (!back || back > FARTHEST || word_at(in + i - back) != word) {
            i++;
            continue;
        }
        size_t match = SHORTEST;
        while (i + match + LAST_LITERALS < count &&
               in[i + match] == in[i + match - back])
            match++;
        if (most(i - literals, match) > (size_t)(limit - out))
            return 0;
        out = put_sequence(out, in + literals, i - literals, back, match);
        i += match;
        literals = i;
    }
    if (most(count - literals, 0) > (size_t)(limit - out))
        return 0;
    out = put_sequence(out, in + literals, count - literals, 0, 0);
    return (size_t)(out - start);
}
