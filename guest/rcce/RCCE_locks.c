/*
 * RCCE_locks.c: mutual exclusion by the test-and-set registers.
 *
 * Each core has one register in its tile's CRB. A read returns 1 when the
 * lock was free and takes it in the same access; a write of any value frees
 * it (rcce-2010). LOCK-prefixed instructions are no substitute: they lock
 * nothing outside the core.
 */
#include "RCCE_lib.h"

static t_vcharp registers[RCCE_MAXNP];

/* The lock register of a UE; uncached, so that every read reaches it. */
static volatile uint32_t *lock_of(int ue)
{
    uint32_t core = (uint32_t)rcce_core_of[ue];

    if (!registers[ue])
        registers[ue] = rcce_map(RCCE_UNCACHED,
                                 RCCE_CRB_BASE + (core / 2 << RCCE_TILE_SHIFT),
                                 RCCE_CRB_PAGE);
    if (!registers[ue])
        return NULL;
    return (volatile uint32_t *)(registers[ue] +
                                 (core % 2 ? RCCE_CRB_LOCK1 : RCCE_CRB_LOCK0));
}

int RCCE_acquire_lock(int ue)
{
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    volatile uint32_t *lock = lock_of(ue);
    if (!lock)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    while (!(*lock & 1))
        ;
    return RCCE_SUCCESS;
}

int RCCE_release_lock(int ue)
{
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    volatile uint32_t *lock = lock_of(ue);
    if (!lock)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    /* MPBT stores made under the lock must be out before the next owner
     * comes; uncached ones are. */
    rcce_push_wcb();
    *lock = 0;
    return RCCE_SUCCESS;
}
