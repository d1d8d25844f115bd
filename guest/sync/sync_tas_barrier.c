/*
 * sync_tas_barrier.c: a linear barrier on the test-and-set registers
 * [reble-metalsvm-sync].
 *
 * A register is a seat; all are free. A UE that arrives takes the first free
 * seat, in the order of the ranks, and then waits until somebody frees it.
 * Who takes the last seat frees the first; its owner leaves it free and
 * frees the next: the chain runs through all seats. A UE that comes to the
 * next barrier while it runs finds a seat that was left: no more UEs come
 * again than have left.
 */
#include "RCCE_lib.h"
#include "RCCE_sync.h"

static void await(int seat)
{
    while (!rcce_lock_try(seat))
        if (rcce_idle)
            rcce_idle();
}

int RCCE_tas_barrier(void)
{
    static int claimed;
    int seat = 0, last = rcce_ues - 1;

    if (!claimed)
        rcce_claim_all_locks();
    claimed = 1;
    if (rcce_ues < 1 || rcce_lock_try(0) < 0)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    /* The try just made counts when it took the seat. */
    if (!rcce_lock_held(0))
        for (seat = 1; !rcce_lock_try(seat);)
            seat = seat == last ? 0 : seat + 1;
    if (seat == last)
        rcce_lock_reset(0);
    await(seat);
    rcce_lock_reset(seat);
    if (seat != last)
        rcce_lock_reset(seat + 1);
    return RCCE_SUCCESS;
}
