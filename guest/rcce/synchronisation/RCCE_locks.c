/*
 * RCCE_locks.c: mutual exclusion by the test-and-set registers.
 *
 * Each core has one register in its tile's CRB (scc/lock.h). It does not know
 * its owner, so each UE remembers which ones it holds.
 */
#include "RCCE_lib.h"

/* The lock register of a UE; uncached, so that every read reaches it. */
static volatile uint32_t *lock_of(int ue)
{
    int core = rcce_core_of[ue];

    if (!rcce_lock_page[ue])
        rcce_lock_page[ue] = rcce_registers(scc_registers_of(core));
    return rcce_lock_page[ue] ? rcce_lock_page[ue] + scc_lock_offset(core) / 4
                              : NULL;
}

/* The layer knows it, too: libraries that guard by this register go on. */
static void note(int ue, unsigned char mine)
{
    rcce_lock_mine[ue] = mine;
    scc_held[rcce_core_of[ue]] = mine;
}

int rcce_lock_held(int ue)
{
    return rcce_lock_mine[ue];
}

/* Frees the lock, whoever holds it. */
int rcce_lock_reset(int ue)
{
    volatile uint32_t *lock = lock_of(ue);
    if (!lock)
        return RCCE_ERROR_MALLOC;
    scc_lock_give(lock);
    note(ue, 0);
    return RCCE_SUCCESS;
}

/* 1 when it is the caller's now, 0 when not, -1 when it is out of reach. */
int rcce_lock_try(int ue)
{
    volatile uint32_t *lock = lock_of(ue);
    if (!lock)
        return -1;
    if (!scc_lock_try(lock))
        return 0;
    note(ue, 1);
    return 1;
}

int RCCE_acquire_lock(int ue)
{
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    volatile uint32_t *lock = lock_of(ue);
    if (!lock)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    scc_lock_take(lock, 0, 0);
    note(ue, 1);
    return RCCE_SUCCESS;
}

int RCCE_release_lock(int ue)
{
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    volatile uint32_t *lock = lock_of(ue);
    if (!lock)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    /* Not ours: taken if it was free, and then given back; else it stays
     * with its owner. */
    if (!rcce_lock_mine[ue] && !scc_lock_try(lock))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    /* MPBT stores made under the lock must be out before the next owner
     * comes; uncached ones are. */
    rcce_push_wcb();
    note(ue, 0);
    scc_lock_give(lock);
    return RCCE_SUCCESS;
}
