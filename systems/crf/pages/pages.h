/*
 * pages.h: the declarations that the files of this folder share.
 *
 * pages.c   which pages there are; page faults
 * commit.c  from the copies to the shared pages, and the other way
 * stack.c   the stacks of the threads here
 * lent.c    more pages, of cores that do not run
 * room.c    fewer ranges of pages with equal protection
 * range.c   crf_commit, crf_reconcile
 * atomic.c  atomic operations, those on any type in atomic_any.c
 * atomic_copy.c  where each core has copies
 * kernel_access.c  what system calls read and write
 */
#ifndef CRF_PAGES_H
#define CRF_PAGES_H

#include <ucontext.h>

#include "../crf_private.h"
#include "scc/lut.h"

/* The state of this core's copy of a page. CRF_STACK: a page of a stack of
 * this core's threads; CRF_GUARD: the page below a stack; CRF_OWN: the only
 * copy (models/strong.c). */
enum { CRF_CLEAN, CRF_DIRTY, CRF_ABSENT, CRF_STACK, CRF_GUARD, CRF_OWN };

extern uint8_t crf_state[CRF_PAGES_MAX];
extern uint8_t crf_known[CRF_PAGES_MAX];
extern uint8_t *crf_twin[CRF_PAGES_MAX];
extern uint16_t crf_dirty[CRF_PAGES_MAX];
extern uint32_t crf_dirty_count;
/* The address of the shared pages, mapped through L1 and the write-combine
 * buffer. */
extern char *crf_lines;

#define CRF_SEGMENT_PAGES (SCC_SEGMENT / CRF_PAGE)
/* lent.c: crf_lent is the number of lent segments that this core can reach */
extern uint32_t crf_lent;
void crf_lent_start(void);
uint32_t crf_lent_physical(uint32_t page);

/* Where a page is off-die. The first lent page has the number crf_own_pages;
 * they are dealt out like the others. */
static inline char *crf_lines_of(uint32_t page)
{
    uint32_t lent = page - crf_own_pages;

    if (page < crf_own_pages)
        return crf_lines + page % CRF_CONTROLLERS * CRF_SLOT +
               CRF_CONTROL_SIZE + page / CRF_CONTROLLERS * CRF_PAGE;
    if (!crf_lent)
        crf_lent_start();
    return crf_lines + CRF_SHARED + lent % crf_lent * SCC_SEGMENT +
           lent / crf_lent * CRF_PAGE;
}

void crf_protect(uint32_t page, uint32_t count, int protection);
int crf_try_protect(uint32_t page, uint32_t count, int protection);
/* room.c: commits and closes pages, so that the kernel has fewer ranges. What
 * the caller knows of pages' states is then out of date. */
void crf_make_room(void);
int crf_is_committed(uint32_t page);
int crf_is_initialised(uint32_t page); /* has data that is not all zero */
void crf_close_all(void);              /* closes all pages on this core */
/* Handles a page fault of this core. A read fetches the page and opens it for
 * reading. A write fetches the page if this core has no copy, makes its twin,
 * opens it for writing and notes it as dirty. A page that began as zero and
 * that no core has committed gets no twin: its first commit writes all of it.
 * `registers` is not used. */
void crf_copy_fault(uint32_t page, int write, greg_t *registers);
/* Gives this core's copy of a page a twin, by which changed bytes are found
 * later: all zero (crf_new_twin), or a copy of the page (crf_make_twin). */
void crf_new_twin(uint32_t page);
void crf_make_twin(uint32_t page);
void crf_fetch(uint32_t page);
void crf_copy_clean(uint32_t page, uint32_t from, uint32_t to);
void crf_forget_clean(uint32_t page);
void crf_undirty(uint32_t page);
void crf_open_for_writing(uint32_t page);
void crf_push(void); /* waits until its writes are off-die */
/* Brings this core's copy of a page up to date: copies those bytes of the
 * shared page that differ from the twin. */
void crf_merge(uint32_t page, uint32_t from, uint32_t to);

int crf_commit_first(uint32_t page); /* false: another core was faster */
int crf_commit_bytes(uint32_t page, uint32_t from, uint32_t to);
void crf_notify(const uint16_t *pages, uint32_t count);
void crf_commit_dirty(void); /* and announces them */
/* Drops this core's copy of a page that others may have changed, after
 * committing the core's changes to it. crf_close_given_up then unmaps all such
 * pages together. */
void crf_give_up(uint32_t page);
void crf_close_given_up(void);

/* stack.c */
const struct crf_stack *crf_first_stack(void); /* the one of this core */
void crf_copy_stack_open(const struct crf_stack *stack);
int crf_own_stack(uint32_t page);
uint32_t crf_stack_commit(uint16_t *changed, uint32_t count);
void crf_stack_merge(uint32_t page);
void crf_stacks_merge(void); /* all that others may have changed */

#define CRF_ATOMIC_MOST 256u /* most bytes of an operand */
/* Changes `size` bytes atomically: `compute` gets them and may change them; if
 * it returns false, they stay unchanged. `order`: CRF_ACQUIRE, CRF_RELEASE, or
 * both. */
enum { CRF_ACQUIRE = 1, CRF_RELEASE = 2 };
void crf_atomic_change(void *at, uint32_t size,
                       int (*compute)(uint8_t *bytes, void *how), void *how,
                       uint32_t order);
int crf_copy_change(void *at, uint32_t size,
                    int (*compute)(uint8_t *bytes, void *how), void *how);
/* Adds to the list of `count` pages those that atomic operations have changed
 * and that must be announced to other cores; returns the new count. */
uint32_t crf_atomic_changed(uint16_t *changed, uint32_t count);
/* Operations that programs call in place of atomic instructions;
 * python/rockcreek/toolchain/atomics.py has equal numbers. */
enum crf_atomic_operation {
    CRF_ADD,
    CRF_SUB,
    CRF_AND,
    CRF_OR,
    CRF_XOR,
    CRF_NAND,
    CRF_XCHG,
    CRF_MAX,
    CRF_MIN,
    CRF_UMAX,
    CRF_UMIN
};
uint64_t crf_atomic_modify(void *at, uint32_t size, uint32_t operation,
                           uint64_t value, uint32_t order);
double crf_atomic_modify_real(void *at, uint32_t size, uint32_t operation,
                              double value, uint32_t order);
uint64_t crf_atomic_compare(void *at, uint32_t size, uint64_t expected,
                            uint64_t value, uint32_t order);
uint64_t crf_atomic_read(void *at, uint32_t size, uint32_t order);
void crf_atomic_fence(uint32_t order);

/* kernel_access.c: from now on, system calls may use any shared page */
void crf_kernel_access_start(void);

#endif
