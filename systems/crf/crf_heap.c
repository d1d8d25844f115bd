/*
 * crf_heap.c: malloc for all threads: shared memory, lists of each core's own.
 *
 * A core takes spans of pages from the rest of the arena, under a guard, and
 * cuts its small blocks from them. Who frees a block keeps it for its own next
 * ones. A block's size lies before it and is committed with it, so another
 * core that gets the pointer can free it.
 */
#include "crf_private.h"
#include "scc/heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define SPAN 16u       /* pages */
#define CLASSES 24u    /* 16, 24, 32, 48, 64, ... bytes */
#define LARGEST 32768u /* above it whole pages */
#define LIVE 0xC0FFEE5Au
#define FREED 0xF4EE5A0Cu
#define ALIGNMENT 16u

struct block {
    uint32_t size;   /* bytes behind the header */
    uint32_t before; /* from the block's begin to the header: alignment */
    struct block *next;
    uint32_t mark; /* state, size and place */
};

static struct block *lists[CLASSES];
static struct block *large;
static char *span, *span_end;

static uint32_t mark_of(const struct block *block, uint32_t state)
{
    return state ^ block->size ^ block->before ^ (uintptr_t)block;
}

static uint32_t size_of(uint32_t class)
{
    return (class % 2 ? 24u : 16u) << class / 2;
}

static struct block *new_small(uint32_t class)
{
    uint32_t bytes =
        (size_of(class) + sizeof(struct block) + ALIGNMENT - 1) & -ALIGNMENT;
    struct block *block = lists[class];

    if (block) {
        lists[class] = block->next;
        return block;
    }
    if ((uint32_t)(span_end - span) < bytes) {
        span = crf_take_pages(SPAN, crf_my_rank);
        span_end = span ? span + SPAN * CRF_PAGE : NULL;
        if (!span)
            return NULL;
    }
    block = (struct block *)(void *)span;
    span += bytes;
    block->size = size_of(class);
    return block;
}

static char *end_of(struct block *block)
{
    return (char *)(block + 1) + block->size;
}

/* Free blocks of whole pages lie in the order of their addresses, and those
 * that touch become one. */
static void keep_large(struct block *block)
{
    struct block **at = &large, *before = NULL;

    for (; *at && *at < block; at = &(*at)->next)
        before = *at;
    block->next = *at;
    *at = block;
    if (block->next && end_of(block) == (char *)block->next) {
        block->size += sizeof *block + block->next->size;
        block->next = block->next->next;
    }
    if (before && end_of(before) == (char *)block) {
        before->size += sizeof *block + block->size;
        before->next = block->next;
    }
}

/* Gives back the pages of a block that are too many. */
static void cut(struct block *block, uint32_t bytes)
{
    struct block *rest;

    if (block->size + sizeof *block - bytes <= LARGEST + sizeof *rest)
        return;
    rest = (struct block *)(void *)((char *)block + bytes);
    rest->size = block->size - bytes;
    rest->mark = 0;
    block->size = bytes - sizeof *block;
    keep_large(rest);
}

/* The last free block grows if nobody has taken the pages behind it: the pages
 * that a larger block needs may have been freed in pieces. */
static struct block *grow_last(uint32_t pages)
{
    struct block **at = &large, *block;
    uint32_t has;

    while (*at && (*at)->next)
        at = &(*at)->next;
    block = *at;
    if (!block)
        return NULL;
    has = (block->size + sizeof *block) / CRF_PAGE;
    if (has >= pages ||
        !crf_take_pages_at(pages - has, crf_my_rank, end_of(block)))
        return NULL;
    *at = NULL;
    block->size = pages * CRF_PAGE - sizeof *block;
    return block;
}

static struct block *new_large(size_t size)
{
    uint32_t pages =
        (uint32_t)((size + sizeof(struct block) + CRF_PAGE - 1) / CRF_PAGE);
    struct block *block;

    if (size > CRF_SHARED_MOST)
        return NULL;
    for (struct block **at = &large; *at; at = &(*at)->next)
        if ((*at)->size >= size) {
            block = *at;
            *at = block->next;
            cut(block, pages * CRF_PAGE);
            return block;
        }
    block = grow_last(pages);
    if (block)
        return block;
    block = (struct block *)(void *)crf_take_pages(pages, crf_my_rank);
    if (block)
        block->size = pages * CRF_PAGE - sizeof(struct block);
    return block;
}

/* `caller`: where the program asks for it. */
static void *take(size_t size, const void *caller)
{
    struct block *block;
    uint32_t class = 0;

    if (size > LARGEST) {
        block = new_large(size);
    } else {
        while (size_of(class) < size)
            class++;
        block = new_small(class);
    }
    if (!block) {
        crf_say_full(size);
        errno = ENOMEM;
        return NULL;
    }
    block->before = 0;
    block->mark = mark_of(block, LIVE);
    crf_order_fresh(block + 1, size, caller);
    return block + 1;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size)
{
    return take(size, CALLER);
}

static int has_mark(const struct block *block, uint32_t state)
{
    return (uintptr_t)block % sizeof(uint32_t) == 0 &&
           crf_page_of(block) != CRF_NO_PAGE &&
           block->mark == mark_of(block, state);
}

void free(void *memory)
{
    struct block *block;
    uint32_t class = 0;

    if (!memory)
        return;
    block = (struct block *)memory - 1;
    if (!has_mark(block, LIVE)) {
        scc_heap_misused(has_mark(block, FREED) ? "free(): double free\n"
                                                : "free(): invalid pointer\n");
        return;
    }
    block->mark = mark_of(block, FREED);
    block = (struct block *)(void *)((char *)block - block->before);
    if (block->size > LARGEST) {
        keep_large(block);
        return;
    }
    while (size_of(class) < block->size)
        class++;
    block->next = lists[class];
    lists[class] = block;
}

size_t malloc_usable_size(void *memory)
{
    return memory ? ((struct block *)memory - 1)->size : 0;
}

void *calloc(size_t count, size_t size)
{
    void *memory;

    if (size && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    memory = take(count * size, CALLER);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void *realloc(void *memory, size_t size)
{
    struct block *block;
    void *other;
    size_t old;

    if (!memory)
        return take(size, CALLER);
    block = (struct block *)memory - 1;
    if (!has_mark(block, LIVE)) {
        scc_heap_misused("realloc(): invalid pointer\n");
        return NULL;
    }
    old = block->size;
    if (size <= old && size >= old / 4)
        return memory;
    other = take(size, CALLER);
    if (!other)
        return NULL;
    memcpy(other, memory, old < size ? old : size);
    free(memory);
    return other;
}

static void *take_aligned(size_t alignment, size_t size, const void *caller)
{
    char *memory, *aligned;
    struct block *block, *before;

    if (alignment & (alignment - 1) || size > CRF_SHARED_MOST) {
        errno = alignment & (alignment - 1) ? EINVAL : ENOMEM;
        return NULL;
    }
    if (alignment <= ALIGNMENT)
        return take(size, caller);
    memory = take(size + alignment, caller);
    if (!memory || (uintptr_t)memory % alignment == 0)
        return memory;
    before = (struct block *)(void *)memory - 1;
    aligned = memory + (alignment - (uintptr_t)memory % alignment);
    block = (struct block *)(void *)aligned - 1;
    block->size = before->size - (uint32_t)(aligned - memory);
    block->before = (uint32_t)(aligned - memory);
    block->mark = mark_of(block, LIVE);
    return aligned;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return take_aligned(alignment, size, CALLER);
}

/* `rck run --check memory` knows an aligned block by this call. */
__attribute__((noinline)) void *memalign(size_t alignment, size_t size)
{
    return take_aligned(alignment, size, CALLER);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
