/*
 * stack.c: the stack of the thread on this core.
 *
 * Other threads may be given pointers into it. It is always there and may be
 * written, since signals and system calls need it; what lies above the stack
 * pointer is compared at each release, and what others write to it is merged.
 */
#include "pages.h"

#include <string.h>

char *crf_stack_top;

static uint32_t first_page(void)
{
    return crf_page_of(CRF_ARENA + (uint32_t)crf_my_rank * CRF_STACK);
}

int crf_own_stack(uint32_t page)
{
    uint32_t first = first_page();

    return page > first && page < first + CRF_STACK / CRF_PAGE;
}

/* The page of the stack pointer, if a thread runs on its stack. */
static uint32_t lowest_page(void)
{
    char *here = __builtin_frame_address(0);

    if (!crf_stack_top || here > crf_stack_top ||
        here < crf_stack_top - CRF_STACK)
        return first_page() + CRF_STACK / CRF_PAGE;
    return crf_page_of(here);
}

/* Adds the pages of which something was written to `changed`. */
__attribute__((noinline)) uint32_t crf_stack_commit(uint16_t *changed,
                                                    uint32_t count)
{
    uint32_t end = first_page() + CRF_STACK / CRF_PAGE;

    for (uint32_t page = lowest_page(); page < end; page++) {
        if (crf_commit_bytes(page, 0, CRF_PAGE) && crf_control->fetched[page])
            changed[count++] = (uint16_t)page;
    }
    return count;
}

/* Others have written to the stack. */
__attribute__((noinline)) void crf_stack_merge(uint32_t page)
{
    uint16_t self = (uint16_t)page;

    if (page < lowest_page())
        return;
    if (crf_commit_bytes(page, 0, CRF_PAGE))
        crf_notify(&self, 1);
    crf_merge(page, 0, CRF_PAGE);
}
