/*
 * memory.c: first fit over the part of private memory that other cores map.
 *
 * Blocks are recorded in a list outside of the memory: what lies in it belongs
 * to programs alone, so that a line never holds bytes of two blocks. The list
 * is in the order of addresses. A block notes when it was freed: until this
 * core has flushed its caches they may hold lines of it, which would hide what
 * is copied past them.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "svp_private.h"

struct block {
    struct block *next;
    uint32_t at, bytes;
    struct family *owner; /* null while it is free */
    bool copy;            /* of what a parent sent */
    uint32_t freed;       /* flushes until then, and one more; 0: never used */
};

static struct block *blocks;
static uint32_t used;

void svp_memory_start(void)
{
    /* The kernel promises this memory to us and no one touches it there: so
     * it gives no frame of the mapped part to anybody. */
    void *promised =
        mmap(NULL, MEMORY_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (promised == MAP_FAILED)
        svp_fail("the program's static data leave too little",
                 "no %u MB of private memory", (unsigned)(MEMORY_SIZE >> 20));
    svp_device(SCC_CACHED, MEMORY, MEMORY_FIRST, MEMORY_SIZE);
    blocks = calloc(1, sizeof *blocks);
    blocks->bytes = MEMORY_SIZE;
}

static struct block *new_block(void)
{
    struct block *block = malloc(sizeof *block);

    if (!block)
        svp_fail("free what is not needed any more",
                 "no memory to note an allocation");
    return block;
}

static struct block *first_fit(uint32_t bytes)
{
    for (struct block *block = blocks; block; block = block->next)
        if (!block->owner && block->bytes >= bytes)
            return block;
    return NULL;
}

void *svp_take(size_t bytes, struct family *owner, bool copy)
{
    uint32_t lines = ((uint32_t)bytes + LINE - 1) / LINE * LINE;
    struct block *block, *rest;

    if (bytes > MEMORY_SIZE)
        lines = MEMORY_SIZE + LINE;
    block = first_fit(lines ? lines : LINE);
    if (!block)
        svp_fail("svp_free what is not needed any more, or spread it over "
                 "more places",
                 "no room for %zu bytes: %u allocations of %u MB in all", bytes,
                 (unsigned)used, (unsigned)(MEMORY_SIZE >> 20));
    lines = lines ? lines : LINE;
    if (copy && svp_mapped(bytes) && block->freed > svp_counted.flushes)
        svp_flush();
    if (block->bytes > lines) {
        rest = new_block();
        *rest = *block;
        rest->at += lines;
        rest->bytes -= lines;
        block->next = rest;
        block->bytes = lines;
    }
    block->owner = owner;
    block->copy = copy;
    used++;
    return MEMORY + block->at;
}

void *svp_alloc(size_t bytes)
{
    return svp_take(bytes, svp_now->family, false);
}

/* Free neighbours become one; what is freed last counts. */
static void join(struct block *low)
{
    struct block *high = low->next;

    if (!high || low->owner || high->owner)
        return;
    low->bytes += high->bytes;
    if (high->freed > low->freed)
        low->freed = high->freed;
    low->next = high->next;
    free(high);
}

static void release(struct block *before, struct block *block)
{
    block->owner = NULL;
    block->freed = svp_counted.flushes + 1;
    used--;
    join(block);
    if (before)
        join(before);
}

void svp_free(void *memory)
{
    uint32_t at = (uint32_t)((char *)memory - MEMORY);
    struct block *before = NULL, *block = blocks;

    if (!memory)
        return;
    while (block && block->at != at) {
        before = block;
        block = block->next;
    }
    if (!block || !block->owner)
        svp_fail("free once, on the same place, what svp_alloc gave",
                 "svp_free: %p is no allocation of this core", memory);
    release(before, block);
}

/* A family ends: its copies of what its parent sent go, and what its threads
 * have allocated if it was killed. Else that is the program's. */
void svp_memory_end(struct family *owner, bool all)
{
    struct block *before = NULL, *block = blocks;

    while (block) {
        if (block->owner == owner && !block->copy && !all)
            block->owner = &svp_root;
        if (block->owner == owner) {
            release(before, block);
            if (before && !before->owner)
                block = before; /* they are one now */
        }
        before = block;
        block = block->next;
    }
}

bool svp_in_memory(const void *at, size_t bytes)
{
    size_t offset = (size_t)((const char *)at - MEMORY);

    return offset < MEMORY_SIZE && bytes <= MEMORY_SIZE - offset;
}

uint32_t svp_blocks(void)
{
    return used;
}
