/*
 * RCCE_shmalloc.c: memory in the 64 MB of DRAM that all cores share.
 *
 * A collective call like RCCE_malloc. The memory is mapped uncached: no
 * core ever holds a copy, so nothing can be stale. It is mapped at the
 * first call, because most programs make none.
 */
#include "RCCE_lib.h"

static struct rcce_space space = {RCCE_SHM_SIZE_MAX, NULL};
static t_vcharp memory;

t_vcharp RCCE_shmalloc(size_t size)
{
    size_t offset;

    if (size == 0 || size > RCCE_SHM_SIZE_MAX)
        return NULL;
    if (!memory)
        memory = rcce_map(RCCE_UNCACHED, RCCE_SHM_BASE, RCCE_SHM_SIZE_MAX);
    size = (size + RCCE_LINE_SIZE - 1) & ~(size_t)(RCCE_LINE_SIZE - 1);
    if (!memory || !rcce_space_alloc(&space, size, &offset))
        return NULL;
    return memory + offset;
}

void RCCE_shfree(t_vcharp block)
{
    if (memory && block >= memory && block < memory + RCCE_SHM_SIZE_MAX)
        rcce_space_free(&space, (size_t)(block - memory));
}
