/* A ring of bytes: who writes puts behind, who reads takes from the front. */
#ifndef INNER_RING_H
#define INNER_RING_H

#include "lib/types.h"

#define RING_SIZE 65536u

struct ring {
    u32 start, length;
    u8 *bytes; /* mapped once, kept when the ring is used again */
};

s32 ring_prepare(struct ring *ring);
u32 ring_put(struct ring *ring, const void *bytes, u32 count);
u32 ring_look(const struct ring *ring, u32 from, void *bytes, u32 count);
void ring_drop(struct ring *ring, u32 count);

#endif
