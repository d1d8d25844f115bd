/*
 * svm.h: shared virtual memory on cores that are not coherent, after
 * MetalSVM's [marc-2011].
 *
 * Pages lie in the chip's shared memory and are mapped at the same addresses
 * on all cores, of MPBT type: write-through in L1, past L2. Build all of a
 * program with -DRCCE_MAILBOX (the owners of pages are asked by mail) and
 * link with -lsvm -lrcce.
 *
 * "Collective": all UEs call, in the same order and with the same arguments.
 * Errors are told on stderr and end the program with code 1.
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
    /* One owner a page, who alone may touch it; a touch by another core is a
     * page fault that moves the page. Nothing else is needed. */
    SVM_STRONG,
    /* All may touch all pages; what others wrote is seen after svm_lock,
     * svm_barrier or svm_invalidate, what was written is seen by others after
     * svm_unlock, svm_barrier or svm_flush. */
    SVM_LAZY
};

/* Collective; after RCCE_init, before any RCCE_shmalloc: all of its 64 MB
 * are SVM's from here on. Takes over SIGSEGV, SIGTRAP and SIGIO, and SIGALRM
 * if the program has no action for it. */
void svm_init(void);
/* Collective; after it no strong page may be touched. */
void svm_finalize(void);

/* Collective. Whole pages, not cleared, behind one memory controller or
 * spread over four, a quarter of the pages behind each. Strong pages are owned
 * from the start: by the first UE the first part, and so on. */
void *svm_alloc(size_t bytes, enum svm_model model, int controllers);
/* Collective. All may read the pages from now on, nobody may write them. */
void svm_read_only(void *start, size_t bytes);

/* What this core wrote leaves the write-combine buffer. */
void svm_flush(void);
/* This core forgets what L1 holds of shared pages. */
void svm_invalidate(void);

/* Lock 0 to SVM_LOCKS - 1, over the test-and-set registers: who holds one by
 * RCCE_acquire_lock must not call. Locks carry the fences of the lazy model
 * and serve strong pages as well. */
void svm_lock(int lock);
void svm_unlock(int lock);
/* Collective: RCCE_barrier with the fences of the lazy model. */
void svm_barrier(void);

/* Of this core since svm_init. */
const struct svm_counts *svm_counts(void);

#ifdef __cplusplus
}
#endif

#endif
