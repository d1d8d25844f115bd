/*
 * chunk.c: the global allocator: chunks for cores, under one test-and-set
 * register [karavadara-lpel, algorithm 2]. A pool a donor; chunks come from
 * the pools in turn, so that all memory controllers have their part.
 */
#include "lpel_private.h"

#define GUARD 0u

void lpel_chunks_start(const struct lpel_loan *loan)
{
    uint32_t at = LPEL_BASE;
    uint32_t taken =
        (sizeof(struct lpel_shared) + LPEL_PAGE - 1) & ~(LPEL_PAGE - 1u);

    for (int n = 0; n < loan->pools; n++) {
        lpel_shared->pool[n].next = at + (n == 0 ? taken : 0);
        at += (uint32_t)loan->pool_entries[n] * LPEL_SEGMENT;
        lpel_shared->pool[n].end = at;
        if (loan->pool_entries[n] == 0)
            lpel_shared->pool[n].next = at;
    }
    for (int n = loan->pools; n < LPEL_DONORS; n++)
        lpel_shared->pool[n].next = lpel_shared->pool[n].end = 0;
    lpel_shared->turn = 0;
}

/* NULL: no donor has so much left. */
void *lpel_chunk(uint32_t bytes)
{
    void *chunk = NULL;

    lpel_guard(GUARD);
    for (uint32_t tried = 0; tried < LPEL_DONORS && !chunk; tried++) {
        uint32_t n = lpel_shared->turn++ % LPEL_DONORS;
        uint32_t next = lpel_shared->pool[n].next;

        if (lpel_shared->pool[n].end - next >= bytes) {
            lpel_shared->pool[n].next = next + bytes;
            chunk = (void *)(uintptr_t)next;
        }
    }
    lpel_unguard(GUARD);
    return chunk;
}
