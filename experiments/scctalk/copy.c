/*
 * copy.c: what is done with the data of a packet.
 */
#include "scctalk.h"

void read_payload(const mpb_long *from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(*from); i++)
        (void)from[i];
}

void copy_payload(uint64_t *to, const mpb_long *from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(*from); i++)
        to[i] = from[i];
}

/* The caches do not allocate a line that is written: one read before the
 * writes of each line makes them [partheymueller-2011, 3.3.1]. */
void copy_allocating(uint64_t *to, const mpb_long *from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(*from); i++) {
        if (i % LONGS_A_LINE == 0)
            (void)*(volatile uint8_t *)(to + i);
        to[i] = from[i];
    }
}

int payload_is_right(const mpb_long *from, size_t bytes, size_t size)
{
    for (size_t i = 0; i < bytes / sizeof(*from); i++)
        if (from[i] != DATA(size, i))
            return 0;
    return 1;
}
