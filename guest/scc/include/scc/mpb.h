/* Message memory (pages of type MPBT): the rules for its lines, each said
 * once. Part of the core of the layer: needs no C library and no kernel.
 *
 *   - Before lines are read that others write: scc_cl1invmb, since L1 may
 *     hold them as they were.
 *   - Before lines are written: scc_cl1invmb, too, if they may be in L1.
 *   - After lines are written: scc_push.
 *   - Data first, the word that says so last: a core's requests take effect
 *     in the order in which it makes them.
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
/* Lines of a core's message buffer. */
#define SCC_MPB_LINES 256u

/* A store to another line of message memory pushes the write-combine buffer:
 * it leaves by itself only when its line is full. Needed after whole lines,
 * too: an interrupt between two stores may have pushed the first half, and the
 * second one alone never fills the buffer. `line` holds nothing. */
static inline void scc_push(volatile void *line)
{
    *(volatile uint32_t *)line = 0;
}

/* Whole lines, word by word and in order: eight stores fill the write-combine
 * buffer, which leaves as one packet. Both places begin a line. */
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

/* From message memory to private memory, any addresses: words, then the bytes
 * that are left. A store that misses both caches goes to memory by itself; so
 * the place of each line is read first, which makes its stores hits. */
void scc_get(void *to, const volatile void *from, size_t bytes);
/* With the sum of the words that lie in `from`, parts of words as if the rest
 * were zero. */
uint32_t scc_get_sum(void *to, const volatile void *from, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
