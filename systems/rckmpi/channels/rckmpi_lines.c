/*
 * rckmpi_lines.c: streams of bytes into lines of an MPB and out of them.
 *
 * The inner loops go through registers, eight words at a time, as the
 * write-combine buffer likes it. A source may lie at any address.
 */
#include "../rckmpi_private.h"

#include <string.h>

#define WORDS ((int)(LINE / 4))

typedef uint32_t any_word __attribute__((aligned(1), may_alias));

size_t rckmpi_gather(void *to, struct cursor *from, size_t bytes)
{
    size_t done = 0;

    while (done < bytes && from->count > 0) {
        size_t left = from->part->iov_len - from->offset;
        size_t now = left < bytes - done ? left : bytes - done;
        memcpy((char *)to + done, (char *)from->part->iov_base + from->offset,
               now);
        done += now;
        from->offset += now;
        if (now == left) {
            from->part++;
            from->count--;
            from->offset = 0;
        }
    }
    return done;
}

static uint32_t put_line(volatile char *to, const any_word *from)
{
    mpb_word *words = (mpb_word *)to;
    uint32_t sum = 0;

    for (int n = 0; n < WORDS; n++) {
        uint32_t word = from[n];
        words[n] = word;
        sum += word;
    }
    return sum;
}

uint32_t rckmpi_put_lines(volatile char *to, struct cursor *from, size_t lines)
{
    uint32_t sum = 0;

    for (; lines > 0; lines--, to += LINE) {
        /* A line within one part needs no gathering. */
        if (from->count > 0 && from->part->iov_len - from->offset > LINE) {
            sum +=
                put_line(to, (const any_word *)((char *)from->part->iov_base +
                                                from->offset));
            from->offset += LINE;
            continue;
        }
        char line[LINE] = {0};
        rckmpi_gather(line, from, LINE);
        sum += put_line(to, (const any_word *)line);
    }
    return sum;
}

uint32_t rckmpi_sum(const volatile char *from, size_t lines)
{
    const mpb_word *words = (const mpb_word *)from;
    uint32_t sum = 0;

    for (; lines > 0; lines--, words += WORDS)
        for (int n = 0; n < WORDS; n++)
            sum += words[n];
    return sum;
}
