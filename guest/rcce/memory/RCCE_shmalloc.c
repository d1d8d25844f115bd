/*
 * RCCE_shmalloc.c: memory in the DRAM that all cores share.
 *
 * A collective call like RCCE_malloc. There are 64 MB, or 512 MB in a
 * program built with SHMADD. The memory is mapped uncached: no core ever
 * holds a copy, so nothing can be stale. With SHMADD_CACHEABLE it is mapped
 * cached and RCCE_shflush does what coherence would. It is mapped at the
 * first call, because most programs make none.
 */
#include "RCCE_lib.h"

static struct rcce_space space;
static t_vcharp memory;

static int cached(void)
{
    return rcce_switches & RCCE_SWITCH_CACHEABLE;
}

static int open_memory(void)
{
    space.size = SCC_SHARED_SIZE;
    if (rcce_switches & RCCE_SWITCH_SHMADD)
        space.size += rcce_extend_shared();
    rcce_claim_shared(&space);
    memory = rcce_map(cached() ? SCC_CACHED : SCC_UNCACHED, SCC_SHARED_BASE,
                      space.size);
    return memory != NULL;
}

t_vcharp RCCE_shmalloc(size_t size)
{
    size_t whole, offset;

    if (!memory && !open_memory())
        return NULL;
    whole = (size + RCCE_LINE_SIZE - 1) & ~(size_t)(RCCE_LINE_SIZE - 1);
    if (size == 0 || size > space.size ||
        !rcce_space_alloc(&space, whole, &offset)) {
        rcce_fail_message(0, RCCE_ERROR_MALLOC, size,
                          (int)rcce_space_largest(&space));
        return NULL;
    }
    return memory + offset;
}

void RCCE_shfree(t_vcharp block)
{
    if (!memory || block < memory || block >= memory + space.size ||
        !rcce_space_free(&space, (size_t)(block - memory)))
        rcce_fail(rcce_debug_comm, RCCE_ERROR_TARGET);
}

/* Uncached memory needs no flush: the call only keeps the order of the
 * accesses around it. */
int RCCE_shflush(void)
{
    RCCE_fence();
    return cached() ? RCCE_DCMflush() : RCCE_SUCCESS;
}
