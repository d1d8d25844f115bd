/*
 * atomic_copy.c: an atomic operation where each core has copies of pages: it is
 * done on the shared page itself, under a test-and-set register that the
 * address chooses. What this core has changed of the bytes is committed first,
 * and its own copy, if it has one, gets the new value; the others are notified of
 * the page at the next release.
 */
#include "pages.h"

#include <string.h>

#include "scc/cache.h"

static uint16_t told_later[CRF_PAGES_MAX];
static uint8_t is_told_later[CRF_PAGES_MAX];
static uint32_t told_later_count;

uint32_t crf_atomic_changed(uint16_t *changed, uint32_t count)
{
    for (uint32_t n = 0; n < told_later_count; n++) {
        changed[count++] = told_later[n];
        is_told_later[told_later[n]] = 0;
    }
    told_later_count = 0;
    return count;
}

static void tell_later(uint32_t page)
{
    if (!is_told_later[page])
        told_later[told_later_count++] = (uint16_t)page;
    is_told_later[page] = 1;
}

/* Calls back for each page's part of the bytes. */
static void each_part(char *at, uint32_t size, uint8_t *bytes,
                      void (*act)(uint32_t page, uint32_t from, uint32_t count,
                                  uint8_t *bytes))
{
    while (size > 0) {
        uint32_t page = crf_page_of(at);
        uint32_t from = (uint32_t)(uintptr_t)at % CRF_PAGE;
        uint32_t count = CRF_PAGE - from < size ? CRF_PAGE - from : size;

        if (page == CRF_NO_PAGE)
            crf_fail("static data, malloc's memory and stacks are shared",
                     "atomic operation on %p, which is not shared", (void *)at);
        act(page, from, count, bytes);
        at += count;
        bytes += count;
        size -= count;
    }
}

/* The shared page holds what this core has of the bytes. */
static void commit(uint32_t page, uint32_t from, uint32_t count, uint8_t *bytes)
{
    int changed;

    (void)bytes;
    if (crf_state[page] == CRF_DIRTY || crf_own_stack(page))
        changed = crf_commit_bytes(page, from, from + count);
    else /* nothing of this core's, but what the loader made */
        changed = !crf_is_committed(page) && crf_commit_first(page);
    if (changed)
        tell_later(page);
}

static void read_part(uint32_t page, uint32_t from, uint32_t count,
                      uint8_t *bytes)
{
    memcpy(bytes, crf_lines_of(page) + from, count);
}

static void write_part(uint32_t page, uint32_t from, uint32_t count,
                       uint8_t *bytes)
{
    memcpy(crf_lines_of(page) + from, bytes, count);
}

/* This core's copy gets what was written; without a copy nothing is to do. */
static void adopt(uint32_t page, uint32_t from, uint32_t count, uint8_t *bytes)
{
    tell_later(page);
    if (!crf_own_stack(page)) {
        if (crf_state[page] == CRF_ABSENT)
            return;
        if (crf_state[page] == CRF_CLEAN)
            crf_open_for_writing(page);
    }
    crf_new_twin(page);
    memcpy(crf_page_address(page) + from, bytes, count);
    memcpy(crf_twin[page] + from, bytes, count);
}

int crf_copy_change(void *at, uint32_t size,
                    int (*compute)(uint8_t *bytes, void *how), void *how)
{
    uint32_t guard = (uint32_t)at >> 3;
    uint8_t bytes[CRF_ATOMIC_MOST] __attribute__((aligned(8)));
    int written;

    each_part(at, size, bytes, commit);
    crf_guard(guard);
    scc_cl1invmb();
    each_part(at, size, bytes, read_part);
    written = compute(bytes, how);
    if (written) {
        each_part(at, size, bytes, write_part);
        crf_push();
    }
    crf_unguard(guard);
    if (written)
        each_part(at, size, bytes, adopt);
    return written;
}
