/*
 * svm_lazy.c: flush and invalidate, and the locks and barriers that carry
 * them: release consistency, nothing moves but at synchronisation.
 *
 * There are more locks than test-and-set registers: a lock is a word off-die
 * that is looked at and changed under the register of one of the cores.
 */
#include "svm_private.h"

#include "scc/mpb.h"

/* The pause between two looks doubles up to this many turns. */
#define PAUSE_FIRST 32u
#define PAUSE_LAST 4096u

void svm_flush(void)
{
    __asm__ volatile("" : : : "memory");
    scc_push(scc_drain());
}

void svm_invalidate(void)
{
    scc_cl1invmb();
}

static void check(const char *call, int lock)
{
    if (lock < 0 || lock >= SVM_LOCKS)
        svm_fail("0 to 127", "%s: there is no lock %d", call, lock);
}

void svm_lock(int lock)
{
    volatile uint32_t *word;
    uint32_t pause = PAUSE_FIRST;
    scc_lock *guard;
    int core;

    check("svm_lock", lock);
    core = svm_core_of[lock % svm_ranks];
    guard = scc_lock_of(core);
    word = &svm_control->lock[lock];
    svm_wait_begins();
    for (;;) {
        scc_guard_take(guard, core);
        if (*word == 0)
            break;
        if (*word == (uint32_t)svm_rank + 1) {
            scc_guard_give(guard, core);
            svm_fail("unlock it first", "svm_lock: lock %d is held by this UE",
                     lock);
        }
        scc_guard_give(guard, core);
        scc_pause(pause);
        if (pause < PAUSE_LAST)
            pause *= 2;
    }
    *word = (uint32_t)svm_rank + 1;
    scc_guard_give(guard, core);
    svm_wait_ends();
    svm_invalidate();
}

void svm_unlock(int lock)
{
    check("svm_unlock", lock);
    if (svm_control->lock[lock] != (uint32_t)svm_rank + 1)
        svm_fail("only its holder unlocks it",
                 "svm_unlock: lock %d is not held by this UE", lock);
    svm_flush();
    svm_control->lock[lock] = 0;
}

void svm_barrier(void)
{
    svm_flush();
    svm_wait_begins();
    RCCE_barrier(&RCCE_COMM_WORLD);
    svm_wait_ends();
    svm_invalidate();
}
