/*
 * iRCCE_memcpy.c: copies between private memory and message buffers.
 *
 * The caches do not allocate on a write: each store to private memory that
 * is not cached goes out alone and the next one waits for it. A load of the
 * target line first costs one line and makes eight stores hits, so copies
 * to private memory begin each line with one. Message lines are written
 * whole, in order: the write-combine buffer makes one transaction of them.
 */
#include "iRCCE_lib.h"

void ircce_copy(volatile void *target, const volatile void *source,
                size_t bytes, int load_target)
{
    volatile uint32_t *to = target;
    const volatile uint32_t *from = source;

    for (; bytes >= RCCE_LINE_SIZE; bytes -= RCCE_LINE_SIZE) {
        if (load_target)
            (void)to[0];
        /* Pairs of loads, then pairs of stores: no store waits for the
         * load right before it. */
        for (int n = 0; n < RCCE_LINE_WORDS; n += 2) {
            uint32_t low = from[n], high = from[n + 1];
            to[n] = low;
            to[n + 1] = high;
        }
        to += RCCE_LINE_WORDS;
        from += RCCE_LINE_WORDS;
    }
    volatile unsigned char *byte = (volatile unsigned char *)to;
    const volatile unsigned char *rest = (const volatile unsigned char *)from;
    for (size_t n = 0; n < bytes; n++)
        byte[n] = rest[n];
}

/* To a message buffer. A partly filled last line stays in the write-combine
 * buffer until RCCE_fence, a flag or another line. */
void *iRCCE_memcpy_put(void *target, const void *source, size_t bytes)
{
    ircce_copy(target, source, bytes, 0);
    return target;
}

/* From a message buffer. */
void *iRCCE_memcpy_get(void *target, const void *source, size_t bytes)
{
    ircce_copy(target, source, bytes, 1);
    return target;
}
