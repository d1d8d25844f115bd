/*
 * svm.h: shared virtual memory on cores that are not coherent, after MetalSVM's
 * [marc-2011].
 *
 * Pages are in the chip's shared memory and are mapped at equal addresses on
 * all cores, of MPBT type: write-through in L1, bypassing L2. Build all of a
 * program with -DRCCE_MAILBOX (requests to the owners of pages are mails) and
 * link with -lsvm -lrcce.
 *
 * "Collective": all UEs call, in the same order and with the same arguments.
 * Errors are reported on stderr and end the program with code 1.
 */
#ifndef SVM_H
#define SVM_H

#ifndef RCCE_MAILBOX
#error "svm.h: build with -DRCCE_MAILBOX, so that RCCE leaves room for mails"
#endif

#include <stddef.h>
#include <stdint.h>

#include "svm_counts.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SVM_PAGE 4096
#define SVM_LOCKS 128

enum svm_model {
    /* Each page has one owner, the only core that may access it. An access by
     * another core is a page fault that moves the page. Programs need no
     * fences. */
    SVM_STRONG,
    /* All cores may access all pages. A core sees other cores' writes after
     * svm_lock, svm_barrier or svm_invalidate; other cores see its writes
     * after svm_unlock, svm_barrier or svm_flush. */
    SVM_LAZY
};

/* Starts SVM; collective, after RCCE_init and before any RCCE_shmalloc: from
 * then on, SVM uses all 64 MB of shared memory. Takes over SIGSEGV, SIGTRAP
 * and SIGIO, and SIGALRM if the program has no action for it. */
void svm_init(void);
/* Ends SVM; collective. The program must not access strong pages afterwards.
 */
void svm_finalize(void);

/* Allocates whole pages, which are not cleared; collective. `controllers`: 1 to
 * have all of them behind one memory controller, 4 to have a quarter behind
 * each. Strong pages have owners from the start: the first UE owns the first
 * part, and so on. */
void *svm_alloc(size_t bytes, enum svm_model model, int controllers);
/* Makes pages read-only for all cores; collective. */
void svm_read_only(void *start, size_t bytes);

/* Pushes this core's writes out of the write-combine buffer to memory. */
void svm_flush(void);
/* Drops L1's copies of shared pages on this core. */
void svm_invalidate(void);

/* Locks 0 to SVM_LOCKS - 1, on the test-and-set registers: a core that holds a
 * register by RCCE_acquire_lock must not call these functions. Locks include
 * the fences of the lazy model, and can be used for strong pages too. */
void svm_lock(int lock);
void svm_unlock(int lock);
/* Collective: RCCE_barrier with the fences of the lazy model. */
void svm_barrier(void);

/* The counts of this core since svm_init. */
const struct svm_counts *svm_counts(void);

#ifdef __cplusplus
}
#endif

#endif
