/*
 * crf.h: one address space on cores that are not coherent, by commit,
 * reconcile and fences, after the software SVM of [kim-svm].
 *
 * A program that is linked with `rck cc -pthread` has its data, its heap and
 * its threads' stacks at equal addresses on all cores. A core works on its own
 * copies of pages; commit writes the core's changes to the shared pages
 * off-die, reconcile fetches the changes that other cores have committed.
 * pthread_mutex_lock, pthread_barrier_wait and all other functions that wait
 * or wake do both, so a program without data races needs none of the functions
 * below.
 */
#ifndef CRF_H
#define CRF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CRF_PAGE 4096

/* Commits `count` items of `size` bytes, whose starts are `stride` bytes apart
 * (at least `size`): writes the bytes that this core changed to the shared
 * pages. All items must be in data, heap or a thread's stack; otherwise the
 * program ends with an error. Does nothing under the models strong and
 * uncached, and neither does crf_reconcile. */
void crf_commit(const void *start, size_t count, size_t stride, size_t size);
/* Brings items, given as for crf_commit, up to date: fetches what other cores
 * have committed, at once or at the next access. Bytes that this core changed
 * and did not commit keep their values. */
void crf_reconcile(const void *start, size_t count, size_t stride, size_t size);

/* crf_release flushes stdout and commits all changes of this core; crf_acquire
 * brings all of this core's copies up to date: as the release and the acquire
 * of a lock do, in the memory model of the run. */
void crf_release(void);
void crf_acquire(void);

struct crf_counts {
    uint32_t read_faults, write_faults; /* on shared pages */
    uint32_t fetched;                   /* pages copied from the shared ones */
    uint32_t committed; /* times that a page's changes were committed */
    uint32_t words;     /* words written by commits; a page's first: 1,024 */
    uint32_t forgotten; /* copies dropped: changed by others */
};

/* Returns what this core, for all its threads, has counted since the program's
 * start; later events change the record. */
const struct crf_counts *crf_counts(void);
/* The rank of the core on which this thread runs, and the number of ranks. */
int crf_rank(void);
int crf_ranks(void);

#ifdef __cplusplus
}
#endif

#endif
