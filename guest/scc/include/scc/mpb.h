/* Message memory (pages of type MPBT), and the rules for its lines. Part of the
 * core of the layer: needs no C library and no kernel.
 *
 *   - Before reading lines that others write: scc_cl1invmb, because L1 may
 *     hold old copies.
 *   - Before writing lines that may be in L1: scc_cl1invmb.
 *   - After writing lines: scc_push.
 *   - Write the data first, and the word that announces it last: a core's
 *     requests take effect in the order in which it makes them.
 */
#ifndef SCC_MPB_H
#define SCC_MPB_H

#include <stddef.h>
#include <stdint.h>

#include "scc/cache.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCC_LINE_WORDS (SCC_LINE_SIZE / 4)
/* The number of lines of a core's message buffer. */
#define SCC_MPB_LINES 256u

/* Pushes the write-combine buffer by a store to another line of message memory:
 * the buffer drains by itself only when its line is full. Needed after whole
 * lines, too: an interrupt between two stores may have pushed the first half,
 * and the second half alone never fills the buffer. `line` holds nothing. */
static inline void scc_push(volatile void *line)
{
    *(volatile uint32_t *)line = 0;
}

/* Copies whole lines, word by word and in order: eight stores fill the
 * write-combine buffer, which drains as one packet. Both places begin at a
 * line. */
static inline void scc_copy_lines(volatile void *target,
                                  const volatile void *source, size_t bytes)
{
    volatile uint32_t *to = (volatile uint32_t *)target;
    const volatile uint32_t *from = (const volatile uint32_t *)source;

    for (size_t n = bytes / SCC_LINE_SIZE; n > 0; n--) {
        for (int word = 0; word < (int)SCC_LINE_WORDS; word++)
            to[word] = from[word];
        to += SCC_LINE_WORDS;
        from += SCC_LINE_WORDS;
    }
}

/* Copies from message memory to private memory, at any addresses: words, then
 * the remaining bytes. A store that misses both caches goes to memory by
 * itself, so each target line is read first, which makes its stores hits. */
void scc_get(void *to, const volatile void *from, size_t bytes);
/* scc_get that also returns the sum of the words in `from`; parts of words
 * count as if the other bytes were zero. */
uint32_t scc_get_sum(void *to, const volatile void *from, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
