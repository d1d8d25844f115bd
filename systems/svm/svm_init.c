/*
 * svm_init.c: shared memory, mailboxes, the control block, start and end.
 */
#include "svm_private.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "owner/owner.h"

struct svm_control *svm_control;
uint32_t svm_control_at;
int svm_rank, svm_ranks;
const int *svm_core_of;
int svm_mail = -1;

void *svm_map(enum scc_memory memory, void *at, uint32_t physical, size_t bytes,
              int protection)
{
    void *mapped = scc_map_at(memory, physical, bytes, at,
                              at ? SCC_THERE : SCC_ANYWHERE, protection);

    if (!mapped)
        svm_fail("fewer or larger allocations use fewer mappings",
                 "cannot map %zu bytes of physical 0x%08x", bytes,
                 (unsigned)physical);
    return mapped;
}

/* All shared memory that nobody else has or plans is the library's; the
 * control block lies in the first part that it fits into. */
static void claim_memory(void)
{
    uint32_t first = 0, count, found = 0;

    while ((count = scc_claim_gap(SCC_SHARED, &first, SCC_SHARED_SIZE, NAME))) {
        scc_claim(SCC_SHARED, SCC_ALONE, first, count, NAME);
        if (!found && count >= SVM_CONTROL_SIZE + SVM_PAGE) {
            found = 1;
            svm_control_at = (first + SVM_PAGE - 1) & ~(SVM_PAGE - 1u);
        }
        first += count;
    }
    if (!found)
        svm_fail("call svm_init before RCCE_shmalloc, build without SHMADD",
                 "svm_init finds no shared memory that nobody else has");
    svm_control = svm_map(SCC_UNCACHED, NULL, SCC_SHARED_BASE + svm_control_at,
                          SVM_CONTROL_SIZE, PROT_READ | PROT_WRITE);
}

void svm_init(void)
{
    const struct scc_job *job = scc_job_on_the_scc(NAME);

    if (svm_control)
        svm_fail("call it once, after RCCE_init", "svm_init was called twice");
    svm_rank = job->rank;
    svm_ranks = job->ranks;
    svm_core_of = job->core_of;
    claim_memory();
    scc_claim(SCC_LOCK, SCC_TOGETHER, 0, SCC_CORES, NAME);
    svm_mail = scc_open_mail(O_RDWR);
    if (svm_mail < 0)
        svm_fail("SVM needs an SCC of 48 cores", "there are no mailboxes");
    if (svm_rank == 0) {
        for (int lock = 0; lock < SVM_LOCKS; lock++)
            svm_control->lock[lock] = 0;
        svm_control->dead = 0;
    }
    svm_strong_start();
    svm_signals_start();
    svm_watch_start();
    RCCE_barrier(&RCCE_COMM_WORLD);
}

void svm_finalize(void)
{
    svm_barrier(); /* nobody waits for a page of this core any more */
    svm_watch_end();
    svm_signals_end();
    close(svm_mail);
}

const struct svm_counts *svm_counts(void)
{
    return &svm_owner_counted;
}
