/*
 * pages.h: what the files of this folder share.
 *
 * pages.c   which pages there are; page faults
 * commit.c  from the copies to the shared pages; notices; the other way
 * stack.c   the stacks of the threads here
 * range.c   crf_commit, crf_reconcile
 * atomic.c  atomic operations, those on any type in atomic_any.c
 */
#ifndef CRF_PAGES_H
#define CRF_PAGES_H

#include "../crf_private.h"

/* Of this core's copy; or a page of its threads' stacks, and below one. */
enum { CRF_CLEAN, CRF_DIRTY, CRF_ABSENT, CRF_STACK, CRF_GUARD };

extern uint8_t crf_state[CRF_PAGES_MAX];
extern uint8_t crf_known[CRF_PAGES_MAX];
extern uint8_t *crf_twin[CRF_PAGES_MAX];
extern uint16_t crf_dirty[CRF_PAGES_MAX];
extern uint32_t crf_dirty_count;
/* The shared pages: lines through L1 and the write-combine buffer. */
extern char *crf_lines;

static inline uint32_t crf_shared_offset(uint32_t page)
{
    return page % CRF_CONTROLLERS * CRF_SLOT + CRF_CONTROL_SIZE +
           page / CRF_CONTROLLERS * CRF_PAGE;
}

void crf_protect(uint32_t page, uint32_t count, int protection);
int crf_is_committed(uint32_t page);
/* A page has a twin from now on: zero, if it had none. */
void crf_new_twin(uint32_t page);
void crf_make_twin(uint32_t page);
void crf_fetch(uint32_t page);
void crf_copy_clean(uint32_t page, uint32_t from, uint32_t to);
void crf_forget_clean(uint32_t page);
void crf_undirty(uint32_t page);
void crf_open_for_writing(uint32_t page);
void crf_push(void); /* what was written to the shared pages is there */
/* The shared page's bytes that differ from the twin come here. */
void crf_merge(uint32_t page, uint32_t from, uint32_t to);

/* `compute` changes the bytes, alone; false: they stay as they are. */
enum { CRF_ACQUIRE = 1, CRF_RELEASE = 2 };
void crf_atomic_change(void *at, uint32_t size,
                       int (*compute)(uint8_t *bytes, void *how), void *how,
                       uint32_t order);
/* Adds the pages whose others must be told. */
uint32_t crf_atomic_changed(uint16_t *changed, uint32_t count);
/* Called by programs in place of atomic instructions: see
 * python/rockcreek/toolchain/atomics.py. */
uint64_t crf_atomic_modify(void *at, uint32_t size, uint32_t operation,
                           uint64_t value, uint32_t order);
double crf_atomic_modify_real(void *at, uint32_t size, uint32_t operation,
                              double value, uint32_t order);
uint64_t crf_atomic_compare(void *at, uint32_t size, uint64_t expected,
                            uint64_t value, uint32_t order);
uint64_t crf_atomic_read(void *at, uint32_t size, uint32_t order);
void crf_atomic_fence(uint32_t order);

/* kernel_access.c: from here on a system call may name any shared page. */
void crf_kernel_access_start(void);

#endif
