/*
 * sync_air.c: a ticket lock and a barrier on the FPGA's atomic counters.
 */
#include "RCCE_lib.h"
#include "RCCE_sync.h"

static int counters(iRCCE_AIR **first, iRCCE_AIR **second)
{
    int error = iRCCE_atomic_alloc(first);

    return error ? error : iRCCE_atomic_alloc(second);
}

static int value_of(iRCCE_AIR *counter)
{
    return *counter->init;
}

/* Far away and shared by all: the more to wait for, the longer the pause. */
static void rest(int turns)
{
    for (int n = 0; n < turns * 64; n++)
        __asm__ volatile("");
    if (rcce_idle)
        rcce_idle();
}

int RCCE_air_lock_alloc(RCCE_AIR_LOCK *lock)
{
    if (!lock)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    return counters(&lock->next, &lock->serving);
}

int RCCE_air_acquire(RCCE_AIR_LOCK *lock)
{
    int ticket;

    if (!lock || !lock->next)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    int error = iRCCE_atomic_inc(lock->next, &ticket);
    while (!error) {
        int before = ticket - value_of(lock->serving);
        if (before == 0)
            break;
        rest(before);
    }
    return error;
}

int RCCE_air_release(RCCE_AIR_LOCK *lock)
{
    int ticket;

    if (!lock || !lock->serving)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    rcce_push_wcb();
    return iRCCE_atomic_inc(lock->serving, &ticket);
}

int RCCE_air_barrier_alloc(RCCE_AIR_BARRIER *barrier)
{
    if (!barrier)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    barrier->round = 0;
    return counters(&barrier->arrived, &barrier->released);
}

/* The last of a round sets the first counter back and counts the round in
 * the second. */
int RCCE_air_barrier(RCCE_AIR_BARRIER *barrier)
{
    int place;

    if (!barrier || !barrier->arrived)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    barrier->round++;
    int error = iRCCE_atomic_inc(barrier->arrived, &place);
    if (error)
        return error;
    if (place == rcce_ues - 1) {
        iRCCE_atomic_write(barrier->arrived, 0);
        return iRCCE_atomic_write(barrier->released, barrier->round);
    }
    while (value_of(barrier->released) != barrier->round)
        rest(1);
    return RCCE_SUCCESS;
}
