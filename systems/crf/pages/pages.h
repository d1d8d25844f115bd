/*
 * pages.h: what the files of this folder share.
 *
 * pages.c   which pages there are; page faults
 * commit.c  from the copies to the shared pages; notices; the other way
 * stack.c   the stack of the thread here
 * range.c   crf_commit, crf_reconcile
 */
#ifndef CRF_PAGES_H
#define CRF_PAGES_H

#include "../crf_private.h"

enum { CRF_CLEAN, CRF_DIRTY, CRF_ABSENT, CRF_GUARD };

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
/* The shared page's bytes that differ from the twin come here. */
void crf_merge(uint32_t page, uint32_t from, uint32_t to);

#endif
