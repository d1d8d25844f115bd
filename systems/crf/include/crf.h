/*
 * crf.h: one address space on cores that are not coherent, by commit, reconcile
 * and fences, after the software SVM of [kim-svm].
 *
 * A program that is linked with `rck cc -pthread` has its data, its heap and
 * its threads' stacks at equal addresses on all cores. A core works on copies
 * of its own; commit writes its changes to the shared pages off-die, reconcile
 * fetches what others committed. pthread_mutex_lock, pthread_barrier_wait and
 * all other functions that wait or wake do both, so a program without data
 * races needs none of these functions.
 */
#ifndef CRF_H
#define CRF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CRF_PAGE 4096

/* Commits `count` items of `size` bytes, `stride` bytes from one's start to the
 * next one's. Only bytes that this core changed are written; all items must be
 * in data, heap or a thread's stack. */
void crf_commit(const void *start, size_t count, size_t stride, size_t size);
/* Fetches what others committed of the items; bytes that this core changed and
 * did not commit stay. */
void crf_reconcile(const void *start, size_t count, size_t stride, size_t size);

/* Commit, and reconcile, all of the shared memory: a lock's release and acquire
 * do this. */
void crf_release(void);
void crf_acquire(void);

struct crf_counts {
    uint32_t read_faults, write_faults;
    uint32_t fetched;   /* pages copied from the shared ones */
    uint32_t committed; /* pages of which something was written */
    uint32_t words;     /* of these: words of which something was written */
    uint32_t forgotten; /* pages given up because others had changed them */
};

/* The counts of this core since the program's start. */
const struct crf_counts *crf_counts(void);
/* The rank of the core that this thread runs on, and the number of ranks. */
int crf_rank(void);
int crf_ranks(void);

#ifdef __cplusplus
}
#endif

#endif
