/*
 * svm_lazy.c: flush and invalidate, and the locks and barriers that carry
 * them: release consistency, nothing moves but at synchronisation.
 *
 * There are more locks than test-and-set registers: a lock is a word off-die
 * that is looked at and changed under the register of one of the cores.
 */
#include "svm_private.h"

#include <sys/mman.h>

#include "scc/cache.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

/* The pause between two looks doubles up to this many turns. */
#define PAUSE_FIRST 32u
#define PAUSE_LAST 4096u

/* A store to another MPBT line pushes the write-combine buffer; the first
 * line of a core's message buffer is there for that. */
void svm_flush(void)
{
    static volatile uint32_t *line;

    if (!line) {
        uint32_t core = (uint32_t)svm_core_of[svm_rank];

        line = svm_map("/dev/rckmpb", NULL,
                       SCC_MPB_BASE + (core / 2 << 24) +
                           core % 2 * SCC_MPB_SIZE_PER_CORE,
                       SVM_PAGE, PROT_READ | PROT_WRITE);
    }
    __asm__ volatile("" : : : "memory");
    *line = 0;
}

void svm_invalidate(void)
{
    scc_cl1invmb();
}

static volatile uint32_t *register_of(int lock)
{
    int rank = lock % svm_ranks;

    return svm_registers[rank] + SCC_CRB_LOCK(svm_core_of[rank] % 2) / 4;
}

static void check(const char *call, int lock)
{
    if (lock < 0 || lock >= SVM_LOCKS)
        svm_fail("0 to 127", "%s: there is no lock %d", call, lock);
}

void svm_lock(int lock)
{
    volatile uint32_t *guard, *word;
    uint32_t pause = PAUSE_FIRST;

    check("svm_lock", lock);
    guard = register_of(lock);
    word = &svm_control->lock[lock];
    svm_wait_begins();
    for (;;) {
        while (!(*guard & SCC_CRB_LOCK_FREE))
            ;
        if (*word == 0)
            break;
        if (*word == (uint32_t)svm_rank + 1) {
            *guard = 0;
            svm_fail("unlock it first", "svm_lock: lock %d is held by this UE",
                     lock);
        }
        *guard = 0;
        for (uint32_t turn = 0; turn < pause; turn++)
            __asm__ volatile("");
        if (pause < PAUSE_LAST)
            pause *= 2;
    }
    *word = (uint32_t)svm_rank + 1;
    *guard = 0;
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
