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
 * Errors are reported on stderr and end the program with code 1; a forbidden
 * access to memory is reported and ends the program by SIGSEGV.
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

#define SVM_PAGE 4096 /* bytes */
#define SVM_LOCKS 128

enum svm_model {
    /* Each page has one owner, the only core that may access it. An access by
     * another core is a page fault that makes that core the owner. Programs
     * need no fences. Pages made read-only have no owner: all cores read. */
    SVM_STRONG,
    /* All cores may access all pages. A core sees other cores' writes after
     * svm_lock, svm_barrier or svm_invalidate; other cores see its writes
     * after svm_unlock, svm_barrier or svm_flush. */
    SVM_LAZY
};

/* Starts SVM; collective, once, after RCCE_init and before any RCCE_shmalloc:
 * from then on, SVM uses all of the 64 MB of shared memory that no other
 * library of the program has claimed or plans to use. Takes over SIGSEGV,
 * SIGTRAP and SIGIO, and SIGALRM if the program has no action for it; without
 * SIGALRM a wait for a core that has died does not end. */
void svm_init(void);
/* Ends SVM; collective: runs svm_barrier, then gives the signals up. The
 * program must not access strong pages afterwards, unless read-only ones. */
void svm_finalize(void);

/* Allocates whole pages (`bytes` from 1 to 64 MB, rounded up), which are not
 * cleared and are never freed; collective, at most 64 times. `controllers`: 1
 * to have all of them behind controller 0, 4 to have a quarter behind each.
 * Returns the first page's address, equal on all cores, never NULL. Each UE
 * owns an equal part of strong pages from the start, in the order of ranks. */
void *svm_alloc(size_t bytes, enum svm_model model, int controllers);
/* Makes whole pages of one segment read-only on all cores for good; collective,
 * at most once for each svm_alloc. `start` is at a page's beginning; `bytes`,
 * not 0, is rounded up. All UEs can read afterwards what any of them wrote
 * before the call. */
void svm_read_only(void *start, size_t bytes);

/* Pushes this core's writes out of the write-combine buffer to memory. */
void svm_flush(void);
/* Drops L1's copies of shared pages (all lines of MPBT type) on this core. */
void svm_invalidate(void);

/* Takes lock 0 to SVM_LOCKS - 1, polls until it is free, and then calls
 * svm_invalidate. Taking a lock that this core holds is an error. Test-and-set
 * registers guard the locks: a core that holds a register by RCCE_acquire_lock
 * must not call svm_lock. Usable for strong pages too. */
void svm_lock(int lock);
/* Calls svm_flush, then releases a lock; an error if this core does not hold
 * the lock. */
void svm_unlock(int lock);
/* Collective: svm_flush, RCCE_barrier of all UEs, svm_invalidate. */
void svm_barrier(void);

/* The counts of this core since the program's start, all on strong pages; later
 * events change the record. */
const struct svm_counts *svm_counts(void);

#ifdef __cplusplus
}
#endif

#endif
