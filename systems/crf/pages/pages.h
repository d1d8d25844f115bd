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

/* The state of this core's copy of a page. CRF_CLEAN: as the shared page was
 * when it was fetched; CRF_DIRTY: open for writing; CRF_ABSENT: none;
 * CRF_STACK: a page of a stack of this core's threads; CRF_GUARD: the lowest
 * page of a stack, which may not be touched; CRF_OWN: there is one copy, which
 * this core may use (models strong and uncached). */
enum { CRF_CLEAN, CRF_DIRTY, CRF_ABSENT, CRF_STACK, CRF_GUARD, CRF_OWN };

/* By page: the state; true if this core knows that the page was committed; the
 * twin, or null. The list of dirty pages. */
extern uint8_t crf_state[CRF_PAGES_MAX];
extern uint8_t crf_known[CRF_PAGES_MAX];
extern uint8_t *crf_twin[CRF_PAGES_MAX];
extern uint16_t crf_dirty[CRF_PAGES_MAX];
extern uint32_t crf_dirty_count;
/* The address of the shared pages, mapped through L1 and the write-combine
 * buffer. */
extern char *crf_lines;

#define CRF_SEGMENT_PAGES (SCC_SEGMENT / CRF_PAGE)
/* lent.c: crf_lent is the number of lent segments that this core has mapped;
 * crf_lent_start maps all that are lent. crf_lent_physical: the address of lent
 * page `page`, counted from 0, if each segment's pages lie in a row. */
extern uint32_t crf_lent;
void crf_lent_start(void);
uint32_t crf_lent_physical(uint32_t page);

/* The address at which this core reads and writes the shared page off-die, past
 * L2. Pages take turns behind the controllers; lent ones, from crf_own_pages
 * on, in the lent segments. */
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

/* Set the protection (PROT_ bits) of pages with addresses in a row. If the
 * kernel's table of ranges is full, crf_try_protect returns false, and
 * crf_protect calls crf_make_room, tries again, and else ends the program. */
void crf_protect(uint32_t page, uint32_t count, int protection);
int crf_try_protect(uint32_t page, uint32_t count, int protection);
/* room.c: commits and closes pages, so that the kernel has fewer ranges. What
 * the caller knows of pages' states is then out of date. */
void crf_make_room(void);
int crf_is_committed(uint32_t page); /* the shared page is valid */
/* True for a page of data that the loader reads from the program's file, false
 * for one that begins as zero. */
int crf_is_initialised(uint32_t page);
void crf_close_all(void); /* closes all pages on this core */
/* Handles a page fault of this core. A read fetches the page and opens it for
 * reading. A write fetches the page if this core has no copy, makes its twin,
 * opens it for writing and notes it as dirty. A page that began as zero and
 * that no core has committed gets no twin: its first commit writes all of it.
 * `registers` is not used. */
void crf_copy_fault(uint32_t page, int write, greg_t *registers);
/* Give this core's copy of a page a twin, by which changed bytes are found
 * later: all zero, unless it has one (crf_new_twin), or a copy of the page
 * (crf_make_twin). */
void crf_new_twin(uint32_t page);
void crf_make_twin(uint32_t page);
/* Copies a committed page to this core; notes that it is fetched. */
void crf_fetch(uint32_t page);
/* Copies bytes from..to (`to` excluded) of the shared page to this core's own
 * copy of the page, which this core has not written since it fetched it. */
void crf_copy_clean(uint32_t page, uint32_t from, uint32_t to);
void crf_forget_clean(uint32_t page); /* drops a clean copy */
void crf_undirty(uint32_t page); /* takes it out of the list of dirty pages */
void crf_open_for_writing(uint32_t page); /* as crf_copy_fault for a write */
void crf_push(void);                      /* empties the write-combine buffer */
/* Brings bytes from..to (in whole words) of this core's copy, which has a twin,
 * up to date: copies those bytes of the shared page that differ from the twin,
 * but not those that this core has changed. */
void crf_merge(uint32_t page, uint32_t from, uint32_t to);

/* Writes all of a page that nobody has committed to the shared page; false:
 * another core was faster, and nothing is written. */
int crf_commit_first(uint32_t page);
/* Commits what this core has changed in bytes from..to (in whole words) of a
 * page; the first commit writes all of it. True if something was written. */
int crf_commit_bytes(uint32_t page, uint32_t from, uint32_t to);
void crf_notify(const uint16_t *pages, uint32_t count); /* the model's notify */
void crf_commit_dirty(void); /* and stacks; announces the changed pages */
/* Drops this core's copy of a page that others may have changed, after
 * committing and announcing the core's changes to it; a stack's page is merged
 * instead. crf_close_given_up, called after the last one, closes all such pages
 * together. */
void crf_give_up(uint32_t page);
void crf_close_given_up(void);

/* stack.c */
/* The stack of this core's first thread; valid until the next call. */
const struct crf_stack *crf_first_stack(void);
void crf_copy_stack_open(const struct crf_stack *stack); /* model.stack_open */
int crf_own_stack(uint32_t page); /* its state is CRF_STACK */
/* Commits the used parts of this core's stacks; adds the changed pages to a
 * list of `count`, and returns the new count. */
uint32_t crf_stack_commit(uint16_t *changed, uint32_t count);
/* Commits and merges a page of a stack, if it is in use. */
void crf_stack_merge(uint32_t page);
void crf_stacks_merge(void); /* all that others may have changed */

#define CRF_ATOMIC_MOST 256u /* most bytes of an operand */
/* Changes `size` bytes (1 to CRF_ATOMIC_MOST) atomically for all threads:
 * `compute` gets them and may change them; if it returns false, they stay
 * unchanged. `order`: 0, CRF_ACQUIRE (acquires afterwards), CRF_RELEASE
 * (releases before), or both. Memory that is not shared is changed plainly. */
enum { CRF_ACQUIRE = 1, CRF_RELEASE = 2 };
void crf_atomic_change(void *at, uint32_t size,
                       int (*compute)(uint8_t *bytes, void *how), void *how,
                       uint32_t order);
int crf_copy_change(void *at, uint32_t size,
                    int (*compute)(uint8_t *bytes, void *how), void *how);
/* Adds to the list of `count` pages those that atomic operations of this core
 * have changed since the last call, which must be announced to other cores;
 * returns the new count. */
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
/* Return the old value. `size`: 1 to 8 bytes; of reals 4 or 8, with CRF_ADD,
 * CRF_SUB, CRF_MAX and CRF_MIN. crf_atomic_compare stores `value` if the old
 * value is `expected`. `order` as in crf_atomic_change. */
uint64_t crf_atomic_modify(void *at, uint32_t size, uint32_t operation,
                           uint64_t value, uint32_t order);
double crf_atomic_modify_real(void *at, uint32_t size, uint32_t operation,
                              double value, uint32_t order);
uint64_t crf_atomic_compare(void *at, uint32_t size, uint64_t expected,
                            uint64_t value, uint32_t order);
uint64_t crf_atomic_read(void *at, uint32_t size, uint32_t order);
void crf_atomic_fence(uint32_t order);

/* kernel_access.c: from now on, system calls of the C library may use any
 * shared page: a call that ends with EFAULT opens its buffer's pages and is
 * repeated */
void crf_kernel_access_start(void);

#endif
