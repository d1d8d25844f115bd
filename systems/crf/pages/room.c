/*
 * room.c: fewer ranges of pages.
 *
 * The kernel keeps a bounded table of ranges whose pages have equal protection,
 * and a program that touches every second page of much memory fills it. Then
 * this core commits what it has changed and gives up all of its copies. Both
 * are allowed at any time: a later touch fetches the page again.
 */
#include "../models/model.h"
#include "pages.h"

#include <string.h>
#include <sys/mman.h>

static int is_stack(uint32_t page)
{
    return crf_state[page] == CRF_STACK || crf_state[page] == CRF_GUARD;
}

/* The end of the run of pages that lie one behind the other without a stack
 * between them. */
static uint32_t end_of_run(uint32_t first, uint32_t end)
{
    const char *at = crf_page_address(first);
    uint32_t page = first + 1;

    while (page < end && !is_stack(page) &&
           crf_page_address(page) == at + (page - first) * CRF_PAGE)
        page++;
    return page;
}

/* Returns the number of runs that could not be closed: with a full table only
 * a run of many ranges can, since that leaves fewer. */
static uint32_t close_copies(uint32_t end)
{
    uint32_t failed = 0, next;

    for (uint32_t page = 0; page < end; page = next) {
        next = page + 1;
        if (is_stack(page))
            continue;
        next = end_of_run(page, end);
        if (crf_try_protect(page, next - page, PROT_NONE))
            memset(crf_state + page, CRF_ABSENT, next - page);
        else
            failed++;
    }
    return failed;
}

void crf_make_room(void)
{
    static int begun;
    uint32_t end = crf_pages_used();

    if (!begun && crf_model->copies) {
        begun = 1;
        crf_model->release();
        /* What failed at first has room once the heap is closed. */
        if (!close_copies(end) || !close_copies(end)) {
            crf_dirty_count = 0;
            begun = 0;
            return;
        }
    }
    crf_fail("fewer shared pages", "no room for the protection of pages");
}
