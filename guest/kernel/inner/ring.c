/* Rings of bytes: pipes have one, pairs of sockets two. */
#include "inner/ring.h"
#include "abi/abi.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"

/* Empty, with memory of its own. */
s32 ring_prepare(struct ring *ring)
{
    ring->start = ring->length = 0;
    if (!ring->bytes) {
        u32 physical = frames_contiguous(RING_SIZE / PAGE_SIZE);

        if (!physical)
            return -ENOMEM;
        ring->bytes = (u8 *)vm_map_kernel(physical, RING_SIZE, TYPE_WRITE_BACK);
    }
    return 0;
}

/* How much of a range from `at` on lies before the ring's end. */
static u32 first_part(u32 at, u32 count)
{
    return count < RING_SIZE - at ? count : RING_SIZE - at;
}

/* As many as there is room for; how many. */
u32 ring_put(struct ring *ring, const void *bytes, u32 count)
{
    u32 at = (ring->start + ring->length) % RING_SIZE;
    u32 part;

    if (count > RING_SIZE - ring->length)
        count = RING_SIZE - ring->length;
    part = first_part(at, count);
    memcpy(ring->bytes + at, bytes, part);
    memcpy(ring->bytes, (const u8 *)bytes + part, count - part);
    ring->length += count;
    return count;
}

/* Copies what lies `from` bytes behind the front; how much there is of it. */
u32 ring_look(const struct ring *ring, u32 from, void *bytes, u32 count)
{
    u32 at = (ring->start + from) % RING_SIZE;
    u32 part;

    if (from >= ring->length)
        return 0;
    if (count > ring->length - from)
        count = ring->length - from;
    part = first_part(at, count);
    memcpy(bytes, ring->bytes + at, part);
    memcpy((u8 *)bytes + part, ring->bytes, count - part);
    return count;
}

void ring_drop(struct ring *ring, u32 count)
{
    ring->start = (ring->start + count) % RING_SIZE;
    ring->length -= count;
}
