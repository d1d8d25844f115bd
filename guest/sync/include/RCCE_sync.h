/*
 * RCCE_sync.h: locks, barriers and counters beside RCCE's own, after the
 * synchronisation layer of MetalSVM (reble-metalsvm-sync).
 *
 * An extension of this project, for programs with RCCE's basic or gory
 * interface. A lock is named by the UE whose test-and-set register it is, as
 * in RCCE_acquire_lock; all kinds may be mixed on one register, and
 * RCCE_release_lock releases each of them. Calls return RCCE_SUCCESS or an
 * error code of RCCE.h (ID: no such UE, MALLOC: registers out of reach).
 * Costs are accesses to registers; each crosses the mesh, even to the own
 * tile.
 */
#ifndef RCCE_SYNC_H
#define RCCE_SYNC_H

#include "iRCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One try: `*taken` says whether the lock is the caller's now. Does not
 * block; one read. */
int RCCE_try_lock(int ue, int *taken);

/* Tries without a pause, like RCCE_acquire_lock: the quickest when nobody
 * else wants the lock. Blocks. */
int RCCE_spin_lock(int ue);

/* After each failure pauses for a random part of a span that doubles from
 * `RCCE_BACKOFF_MIN` to `RCCE_BACKOFF_MAX` rounds of an empty loop: scales
 * when many want the lock. The random numbers come from a linear
 * congruential generator, whose cost is the same each time. Blocks. */
#define RCCE_BACKOFF_MIN 16
#define RCCE_BACKOFF_MAX 4096
int RCCE_backoff_lock(int ue);
/* The generator alone: 15 random bits. Each UE has a sequence of its own. */
unsigned RCCE_backoff_random(void);

/* A barrier of all UEs on their test-and-set registers, without a byte of
 * MPB: each takes the first free register, the last one starts a chain that
 * runs through all. The registers of all UEs must be free; nobody holds a
 * lock across it. */
int RCCE_tas_barrier(void);

/* A counter in the MPB of one UE under that UE's lock. RCCE_counter_add
 * returns the value before in `*old`; UEs that are near wait so long that
 * all need the same time (a fair counter for measurements). */
typedef struct {
    t_vcharp word;
    int ue;
} RCCE_COUNTER;
/* Collective; the counter lives on `ue` and starts at 0. */
int RCCE_counter_alloc(RCCE_COUNTER *counter, int ue);
int RCCE_counter_add(RCCE_COUNTER *counter, int amount, int *old);

/* Locks and barriers on the FPGA's atomic counters. The lock hands out
 * tickets: first come, first served. Alloc is collective. */
typedef struct {
    iRCCE_AIR *next, *serving;
} RCCE_AIR_LOCK;
int RCCE_air_lock_alloc(RCCE_AIR_LOCK *lock);
int RCCE_air_acquire(RCCE_AIR_LOCK *lock);
int RCCE_air_release(RCCE_AIR_LOCK *lock);

typedef struct {
    iRCCE_AIR *arrived, *released;
    int round;
} RCCE_AIR_BARRIER;
int RCCE_air_barrier_alloc(RCCE_AIR_BARRIER *barrier);
/* All UEs. One counting access each; the others poll the second counter. */
int RCCE_air_barrier(RCCE_AIR_BARRIER *barrier);

#ifdef __cplusplus
}
#endif

#endif
