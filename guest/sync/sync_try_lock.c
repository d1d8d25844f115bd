/*
 * sync_try_lock.c: one try, and tries without a pause.
 */
#include "RCCE_lib.h"
#include "RCCE_sync.h"

int RCCE_try_lock(int ue, int *taken)
{
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    if (!taken)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    *taken = rcce_lock_try(ue);
    if (*taken < 0)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    return RCCE_SUCCESS;
}

int RCCE_spin_lock(int ue)
{
    int taken = 0, error = RCCE_SUCCESS;

    while (!taken && !error)
        error = RCCE_try_lock(ue, &taken);
    return error;
}
