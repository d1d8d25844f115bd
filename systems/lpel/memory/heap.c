/*
 * heap.c: each core's own allocator: first fit over a circular list of free
 * blocks, which may lie in several chunks; blocks of other cores go to their
 * owner's garbage list [karavadara-lpel, algorithms 1, 3 and 4].
 *
 * Tasks of one core do not interrupt each other, so the core's own list
 * needs no lock. Blocks are lines: what lies cached (stacks) and what does
 * not never share one.
 */
#include "lpel_private.h"

#include <stdlib.h>

#define IN_USE 0x4C50454Cu
#define FREE 0x46524545u

struct header { /* a line before each block */
    struct header *next;
    uint32_t lines; /* with the header */
    int owner;
    uint32_t mark;
    uint32_t bytes;
    uint32_t unused[3];
};

static struct header base, *list; /* list: where the last search ended */
static uint32_t blocks_used, bytes_used, lines_owned, lines_used;

static uint32_t lines_for(size_t bytes)
{
    return (uint32_t)((bytes + LPEL_LINE - 1) / LPEL_LINE) + 1;
}

static void start_list(void)
{
    base.next = list = &base;
    base.lines = 0;
}

/* The block goes back into the list, in the order of addresses, one with
 * its neighbours. The list's own head is private and lies below all. */
static void insert(struct header *block)
{
    struct header *at = list;

    if (block < at)
        at = &base;
    while (at->next != &base && at->next < block)
        at = at->next;
    block->mark = FREE;
    if (block + block->lines == at->next) {
        block->lines += at->next->lines;
        block->next = at->next->next;
    } else {
        block->next = at->next;
    }
    if (at != &base && at + at->lines == block) {
        at->lines += block->lines;
        at->next = block->next;
    } else {
        at->next = block;
    }
    list = at;
}

static struct header *first_fit(uint32_t lines)
{
    struct header *before = &base;

    for (struct header *at = base.next; at != &base;
         before = at, at = at->next) {
        uint32_t left = at->lines - lines;

        if (at->lines < lines)
            continue;
        if (left > 1) { /* its end is cut off */
            at->lines = left;
            at += left;
            at->lines = lines;
        } else {
            before->next = at->next;
        }
        list = before;
        return at;
    }
    return NULL;
}

static struct header *grow(uint32_t lines)
{
    uint32_t bytes = lines * LPEL_LINE;
    uint32_t usual = (uint32_t)lpel_configured.chunk_kb * 1024;
    struct header *chunk;

    if (bytes < usual)
        bytes = usual;
    bytes = (bytes + LPEL_PAGE - 1) & ~(LPEL_PAGE - 1u);
    chunk = lpel_chunk(bytes);
    if (!chunk)
        lpel_fail("more segments, or fewer and smaller messages",
                  "donors exhausted: no %u KB left in %d segments of 16 MB",
                  (unsigned)(bytes / 1024), lpel_configured.segments);
    chunk->lines = bytes / LPEL_LINE;
    lines_owned += chunk->lines;
    insert(chunk);
    return first_fit(lines);
}

static struct header *shared_block(uint32_t lines)
{
    struct header *block;

    if (!list)
        start_list();
    block = first_fit(lines);
    if (!block) {
        lpel_collect_garbage();
        block = first_fit(lines);
    }
    return block ? block : grow(lines);
}

void *lpel_malloc(size_t bytes)
{
    uint32_t lines = lines_for(bytes);
    struct header *block;

    if (bytes > 0x40000000u)
        lpel_fail("a block has 1 GB at most", "lpel_malloc of %zu bytes",
                  bytes);
    if (lpel_is_static())
        block = aligned_alloc(LPEL_LINE, (size_t)lines * LPEL_LINE);
    else
        block = shared_block(lines);
    if (!block)
        lpel_fail("fewer or smaller messages", "no private memory is left");
    if (lpel_is_static())
        block->lines = lines;
    block->owner = lpel_my_rank;
    block->mark = IN_USE;
    block->bytes = (uint32_t)bytes;
    blocks_used++;
    bytes_used += (uint32_t)bytes;
    lines_used += block->lines;
    return block + 1;
}

static void free_own(struct header *block)
{
    blocks_used--;
    bytes_used -= block->bytes;
    lines_used -= block->lines;
    if (lpel_is_static()) {
        block->mark = FREE;
        free(block);
    } else {
        insert(block);
    }
}

static struct header *checked(const void *block)
{
    struct header *header = (struct header *)(uintptr_t)block - 1;
    uint32_t at = (uint32_t)(uintptr_t)block;
    uint32_t end =
        LPEL_BASE + (uint32_t)lpel_configured.segments * LPEL_SEGMENT;

    if (!lpel_is_static() &&
        (at < LPEL_BASE + LPEL_LINE || at >= end || at % LPEL_LINE))
        lpel_fail("messages and what is freed come from lpel_malloc",
                  "%p is no block of shared memory", block);
    if (header->mark != IN_USE && lpel_current)
        lpel_check_stack(lpel_current, __builtin_frame_address(0));
    if (header->mark != IN_USE)
        lpel_fail("who writes a message gives it away", "block %p was %s",
                  block, header->mark == FREE ? "freed before" : "overwritten");
    return header;
}

void lpel_free(void *block)
{
    struct header *header;

    if (!block)
        return;
    header = checked(block);
    if (header->owner == lpel_my_rank) {
        free_own(header);
        return;
    }
    header->mark = FREE;
    lpel_count_in(LPEL_GARBAGE, header->owner);
    header->next = lpel_shared->garbage[header->owner];
    lpel_shared->garbage[header->owner] = header;
    lpel_count_out(LPEL_GARBAGE, header->owner);
}

size_t lpel_size(const void *block)
{
    return checked(block)->bytes;
}

/* What others have freed comes back; once in each round of the scheduler. */
void lpel_collect_garbage(void)
{
    struct header *block;

    if (lpel_is_static() || !lpel_shared->garbage[lpel_my_rank])
        return;
    lpel_count_in(LPEL_GARBAGE, lpel_my_rank);
    block = lpel_shared->garbage[lpel_my_rank];
    lpel_shared->garbage[lpel_my_rank] = NULL;
    lpel_count_out(LPEL_GARBAGE, lpel_my_rank);
    while (block) {
        struct header *next = block->next;

        free_own(block);
        block = next;
    }
}

void lpel_heap_count(struct lpel_usage *usage)
{
    uint32_t free_lines = 0;

    lpel_collect_garbage();
    if (list && !lpel_is_static())
        for (struct header *at = base.next; at != &base; at = at->next)
            free_lines += at->lines;
    *usage = (struct lpel_usage){
        .blocks = blocks_used,
        .bytes = bytes_used,
        .chunks_bytes = lines_owned * LPEL_LINE,
        .damaged = !lpel_is_static() && free_lines + lines_used != lines_owned,
    };
}
