/*
 * RCCE_space.c: first-fit allocation of offsets in a range.
 *
 * RCCE_malloc (MPB) and RCCE_shmalloc (shared DRAM) need the same answer on
 * every UE without a word between them: each keeps this list in private
 * memory and makes the same calls in the same order. All sizes are whole
 * lines, so that no two blocks share one.
 */
#include "RCCE_lib.h"

/* Takes the first gap of at least `size` bytes; 0 when there is none. */
int rcce_space_alloc(struct rcce_space *space, size_t size, size_t *offset)
{
    struct rcce_block **link = &space->first;
    size_t start = 0;

    while (*link && (*link)->offset - start < size) {
        start = (*link)->offset + (*link)->size;
        link = &(*link)->next;
    }
    if (!*link && space->size - start < size)
        return 0;
    struct rcce_block *block = malloc(sizeof *block);
    if (!block)
        return 0;
    *block = (struct rcce_block){start, size, *link};
    *link = block;
    *offset = start;
    return 1;
}

/* Takes a place that is free; 0 when there is no memory to note it. */
int rcce_space_reserve(struct rcce_space *space, size_t offset, size_t size)
{
    struct rcce_block **link = &space->first;
    struct rcce_block *block = malloc(sizeof *block);

    if (!block)
        return 0;
    while (*link && (*link)->offset < offset)
        link = &(*link)->next;
    *block = (struct rcce_block){offset, size, *link};
    *link = block;
    return 1;
}

/* Bytes in the largest gap. */
size_t rcce_space_largest(const struct rcce_space *space)
{
    size_t start = 0, largest = 0;

    for (const struct rcce_block *b = space->first; b; b = b->next) {
        if (b->offset - start > largest)
            largest = b->offset - start;
        start = b->offset + b->size;
    }
    return space->size - start > largest ? space->size - start : largest;
}

/* Gives back the block that begins at `offset`; 0 when there is none. */
int rcce_space_free(struct rcce_space *space, size_t offset)
{
    struct rcce_block **link = &space->first;

    while (*link && (*link)->offset != offset)
        link = &(*link)->next;
    if (!*link)
        return 0;
    struct rcce_block *block = *link;
    *link = block->next;
    free(block);
    return 1;
}

void rcce_space_clear(struct rcce_space *space)
{
    while (space->first)
        rcce_space_free(space, space->first->offset);
}
