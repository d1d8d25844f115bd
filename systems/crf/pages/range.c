/*
 * range.c: commit and reconcile of items that the program names.
 */
#include "pages.h"

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

static void commit_part(uint32_t page, uint32_t from, uint32_t to)
{
    uint16_t self = (uint16_t)page;

    if ((crf_state[page] == CRF_DIRTY || crf_own_stack(page)) &&
        crf_commit_bytes(page, from, to))
        crf_notify(&self, 1);
}

/* A clean copy is fetched anew at the next touch, of a dirty one the bytes
 * come here that this core has not changed. */
static void reconcile_part(uint32_t page, uint32_t from, uint32_t to)
{
    if (!crf_is_committed(page) || crf_state[page] == CRF_ABSENT)
        return;
    if (crf_state[page] == CRF_DIRTY || crf_own_stack(page)) {
        crf_new_twin(page);
        crf_merge(page, from, to);
        return;
    }
    crf_forget_clean(page);
}

void crf_commit(const void *start, size_t count, size_t stride, size_t size)
{
    check("crf_commit", start, stride, size);
    for (size_t n = 0; n < count; n++)
        each_part("crf_commit", (const char *)start + n * stride, size,
                  commit_part);
}

void crf_reconcile(const void *start, size_t count, size_t stride, size_t size)
{
    check("crf_reconcile", start, stride, size);
    for (size_t n = 0; n < count; n++)
        each_part("crf_reconcile", (const char *)start + n * stride, size,
                  reconcile_part);
}
