/*
 * range.c: commit and reconcile of items that the program names.
 */
#include "../models/model.h"
#include "pages.h"

#define FEW 1024u /* bytes whose copy costs less than a page fault */

static void check(const char *call, const char *start, size_t stride,
                  size_t size)
{
    if (size > stride && stride != 0)
        crf_fail("a stride is at least a size, or 0 for one item",
                 "%s: items of %zu bytes, %zu bytes apart", call, size, stride);
    if (crf_page_of(start) == CRF_NO_PAGE)
        crf_fail("static data, malloc's memory and stacks are shared",
                 "%s: %p is not shared", call, (const void *)start);
}

/* Calls back for the part of each page that an item has. */
static void each_part(const char *call, const char *start, size_t size,
                      void (*act)(uint32_t page, uint32_t from, uint32_t to))
{
    while (size > 0) {
        uint32_t page = crf_page_of(start);
        uint32_t from = (uint32_t)(uintptr_t)start % CRF_PAGE;
        uint32_t part = CRF_PAGE - from;

        if (page == CRF_NO_PAGE)
            crf_fail("static data, malloc's memory and stacks are shared",
                     "%s: %p is not shared", call, (const void *)start);
        if (part > size)
            part = (uint32_t)size;
        act(page, from, from + part);
        start += part;
        size -= part;
    }
}

/* A page is reported once, however many items it has. */
static uint32_t untold = CRF_NO_PAGE;

static void tell(void)
{
    uint16_t page = (uint16_t)untold;

    if (untold != CRF_NO_PAGE)
        crf_notify(&page, 1);
    untold = CRF_NO_PAGE;
}

static void commit_part(uint32_t page, uint32_t from, uint32_t to)
{
    if (crf_state[page] != CRF_DIRTY && !crf_own_stack(page))
        return;
    if (crf_commit_bytes(page, from, to) && page != untold) {
        tell();
        untold = page;
    }
}

/* Of a clean copy few bytes come at once, many with the page at its next
 * touch; of a dirty one those come that this core has not changed. */
static void reconcile_part(uint32_t page, uint32_t from, uint32_t to)
{
    if (!crf_is_committed(page) || crf_state[page] == CRF_ABSENT)
        return;
    if (crf_state[page] == CRF_DIRTY || crf_own_stack(page)) {
        crf_new_twin(page);
        crf_merge(page, from, to);
        return;
    }
    if (to - from > FEW)
        crf_forget_clean(page);
    else
        crf_copy_clean(page, from, to);
}

static void each_item(const char *call, const char *start, size_t count,
                      size_t stride, size_t size,
                      void (*act)(uint32_t page, uint32_t from, uint32_t to))
{
    check(call, start, stride, size);
    if (stride == size) { /* they lie side by side */
        each_part(call, start, count * size, act);
        return;
    }
    for (size_t n = 0; n < count; n++)
        each_part(call, start + n * stride, size, act);
}

static void leave_part(uint32_t page, uint32_t from, uint32_t to)
{
    (void)page;
    (void)from;
    (void)to;
}

/* Where a page is at one core at a time, that core has all that was written. */
void crf_commit(const void *start, size_t count, size_t stride, size_t size)
{
    each_item("crf_commit", start, count, stride, size,
              crf_model->copies ? commit_part : leave_part);
    tell();
}

void crf_reconcile(const void *start, size_t count, size_t stride, size_t size)
{
    each_item("crf_reconcile", start, count, stride, size,
              crf_model->copies ? reconcile_part : leave_part);
}
