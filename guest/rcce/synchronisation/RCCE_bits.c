/*
 * RCCE_bits.c: handing out the bits of lines (SINGLEBITFLAGS).
 *
 * A line holds 256 flags. Lines are never given back to RCCE_malloc; a line
 * that held other data before is cleared first, and nobody writes a flag in
 * it before all have done so.
 */
#include "RCCE_lib.h"

#include <string.h>

#define BITS (RCCE_LINE_SIZE * 8)

struct bit_line {
    t_vcharp line;
    uint8_t used[RCCE_LINE_SIZE];
    struct bit_line *next;
};

static struct bit_line *lines;

static int take(struct bit_line *from)
{
    for (int bit = 0; bit < BITS; bit++)
        if (!(from->used[bit / 8] & 1 << bit % 8)) {
            from->used[bit / 8] |= (uint8_t)(1 << bit % 8);
            return bit;
        }
    return -1;
}

static struct bit_line *new_line(void)
{
    static const uint32_t zero[RCCE_LINE_WORDS];
    size_t mark = rcce_malloc_mark();
    struct bit_line *fresh = calloc(1, sizeof *fresh);

    if (!fresh)
        return NULL;
    fresh->line = RCCE_malloc(RCCE_LINE_SIZE);
    if (!fresh->line) {
        free(fresh);
        return NULL;
    }
    if ((size_t)(fresh->line - rcce_buffer[rcce_my_rank]) < mark) {
        rcce_invalidate_mpb();
        scc_copy_lines(fresh->line, zero, RCCE_LINE_SIZE);
        rcce_push_wcb();
        rcce_world_barrier();
    }
    return fresh;
}

/* 0 when the MPB is exhausted. Collective, like RCCE_malloc. */
int rcce_bit_alloc(t_vcharp *line, int *location)
{
    struct bit_line **link = &lines;

    /* RCCE_init and RCCE_finalize take all of the MPB back. */
    if (lines && !rcce_malloc_owns(lines->line))
        lines = NULL;
    for (; *link; link = &(*link)->next) {
        *location = take(*link);
        if (*location >= 0) {
            *line = (*link)->line;
            return 1;
        }
    }
    *link = new_line();
    if (!*link)
        return 0;
    *line = (*link)->line;
    *location = take(*link);
    return 1;
}

/* 0 when this bit is not in use. */
int rcce_bit_free(t_vcharp line, int location)
{
    struct bit_line *found = lines;

    while (found && found->line != line)
        found = found->next;
    if (!found || location < 0 || location >= BITS ||
        !(found->used[location / 8] & 1 << location % 8))
        return 0;
    found->used[location / 8] &= (uint8_t)~(1 << location % 8);
    /* The own copy is reset for its next user. */
    rcce_signal_store((struct rcce_signal){(volatile int *)line, location}, 0,
                      0, rcce_my_rank);
    return 1;
}
