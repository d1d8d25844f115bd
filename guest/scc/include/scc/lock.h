/* Locks on the test-and-set registers, and on the FPGA's atomic counters. Part
 * of the core of the layer: needs no C library and no kernel.
 *
 * A read of a free test-and-set register takes it, in one access; a write of
 * any value frees it [rcce-2010]. LOCK-prefixed instructions lock nothing
 * between cores. A read of a counter's even word adds one; its odd word is the
 * value.
 */
#ifndef SCC_LOCK_H
#define SCC_LOCK_H

#include <stdint.h>

#include "scc/place.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef volatile uint32_t scc_lock;

static inline void scc_pause(uint32_t turns)
{
    while (turns-- > 0)
        __asm__ volatile("");
}

/* Tries once; true if the lock is now the caller's. */
static inline int scc_lock_try(scc_lock *lock)
{
    return (*lock & SCC_CRB_LOCK_FREE) != 0;
}

/* Tries until it has the lock, with a pause of `pause` turns after a failure;
 * the pause doubles up to `most`. (0, 0): without a pause. */
static inline void scc_lock_take(scc_lock *lock, uint32_t pause, uint32_t most)
{
    while (!scc_lock_try(lock)) {
        scc_pause(pause);
        if (pause < most)
            pause *= 2;
    }
}

static inline void scc_lock_give(scc_lock *lock)
{
    *lock = 0;
}

/* Takes the register of a core as a guard of a few accesses. A program may take
 * it again while it has it: several libraries guard by one register, and a
 * program that holds it as a lock of its own still calls them. */
extern uint8_t scc_held[SCC_MOST_CORES]; /* how often, by core */

static inline int scc_guard_try(scc_lock *lock, int core)
{
    if (!scc_held[core] && !scc_lock_try(lock))
        return 0;
    scc_held[core]++;
    return 1;
}

static inline void scc_guard_take(scc_lock *lock, int core)
{
    while (!scc_guard_try(lock, core))
        ;
}

static inline void scc_guard_give(scc_lock *lock, int core)
{
    if (--scc_held[core] == 0)
        scc_lock_give(lock);
}

/* Takes a lock on an atomic counter: the core that reads 0 has it. Each try
 * crosses the mesh to the FPGA, so the pause grows. */
static inline void scc_counter_take(volatile uint32_t *counter, uint32_t pause,
                                    uint32_t most)
{
    while (counter[0] != 0) {
        scc_pause(pause);
        if (pause < most)
            pause *= 2;
    }
}

static inline void scc_counter_give(volatile uint32_t *counter)
{
    counter[1] = 0;
}

#ifdef __cplusplus
}
#endif

#endif
