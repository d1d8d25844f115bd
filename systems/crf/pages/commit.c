/*
 * commit.c: what this core changed goes to the shared pages, byte by byte where
 * a word is not all its own; copies that others may have changed are given up.
 */
#include "../models/model.h"
#include "pages.h"

#include <string.h>
#include <sys/mman.h>

#include "scc/mpb.h"

#define WORDS (CRF_PAGE / 4)
#define LINE_WORDS 8u /* of a line of the caches */

/* Writes one word's changed bytes; the write-combine buffer collects those of
 * a line and knows which they are. */
static void commit_word(char *at, uint32_t new, uint32_t old)
{
    uint32_t differ = new ^ old;

    crf_counted.words++;
    if (differ & 0xFF && differ & 0xFF00 && differ & 0xFF0000 &&
        differ & 0xFF000000) {
        *(volatile uint32_t *)at = new;
        return;
    }
    for (int n = 0; n < 4; n++)
        if (differ >> 8 * n & 0xFF)
            ((volatile char *)at)[n] = (char)(new >> 8 * n);
}

/* Most lines are as in the twin: one branch for eight words, not eight. */
static int line_differs(const uint32_t *now, const uint32_t *twin)
{
    uint32_t differ = (now[0] ^ twin[0]) | (now[1] ^ twin[1]);

    differ |= (now[2] ^ twin[2]) | (now[3] ^ twin[3]);
    differ |= (now[4] ^ twin[4]) | (now[5] ^ twin[5]);
    differ |= (now[6] ^ twin[6]) | (now[7] ^ twin[7]);
    return differ != 0;
}

/* Words from..to that differ from the twin. */
static int commit_words(uint32_t page, uint32_t from, uint32_t to)
{
    const uint32_t *now = (const uint32_t *)(void *)crf_page_address(page);
    uint32_t *twin = (uint32_t *)(void *)crf_twin[page];
    char *lines = crf_lines_of(page);
    int changed = 0;

    for (uint32_t n = from; n < to; n++) {
        uint32_t value, old;

        while (n % LINE_WORDS == 0 && n + LINE_WORDS <= to &&
               !line_differs(now + n, twin + n))
            n += LINE_WORDS;
        if (n >= to)
            break;
        value = now[n];
        old = twin[n];
        if (value == old)
            continue;
        commit_word(lines + n * 4, value, old);
        twin[n] = value;
        changed = 1;
    }
    return changed;
}

void crf_push(void)
{
    scc_push(scc_drain());
}

/* The first commit of a page writes all of it, line by line. Afterwards it has
 * a twin: what was written, though a stack changes while it is copied. */
static void commit_all(uint32_t page)
{
    crf_make_twin(page);
    memcpy(crf_lines_of(page), crf_twin[page], CRF_PAGE);
    crf_push();
    crf_counted.words += WORDS;
}

/* The first commit of a page; false: another core was first. */
int crf_commit_first(uint32_t page)
{
    int first;

    crf_guard(page);
    first = !crf_control->committed[page];
    if (first) {
        commit_all(page);
        crf_control->committed[page] = 1;
    }
    crf_unguard(page);
    crf_known[page] = 1;
    crf_counted.committed += (uint32_t)first;
    return first;
}

/* Commits words from..to of a page that has a twin; true if any changed. */
int crf_commit_bytes(uint32_t page, uint32_t from, uint32_t to)
{
    int changed;

    if (!crf_is_committed(page) && crf_commit_first(page))
        return 1;
    crf_new_twin(page); /* another core was first: it was zero at the start */
    changed = commit_words(page, from / 4, (to + 3) / 4);
    if (changed)
        crf_push();
    crf_counted.committed += (uint32_t)changed;
    return changed;
}

/* One word of a page with a twin: its bytes that others changed. */
static void merge_word(uint32_t *here, uint32_t *twin, uint32_t value)
{
    uint32_t theirs = value ^ *twin, mine = *here ^ *twin, mask = 0;

    for (int n = 0; n < 4; n++)
        if (theirs >> 8 * n & 0xFF && !(mine >> 8 * n & 0xFF))
            mask |= 0xFFu << 8 * n;
    if (mask)
        *here = (*here & ~mask) | (value & mask);
    *twin = value;
}

void crf_merge(uint32_t page, uint32_t from, uint32_t to)
{
    const volatile uint32_t *shared =
        (const volatile uint32_t *)(void *)(crf_lines_of(page));
    uint32_t *here = (uint32_t *)(void *)crf_page_address(page);
    uint32_t *twin = (uint32_t *)(void *)crf_twin[page];

    scc_cl1invmb(); /* a commit goes past L1 */
    for (uint32_t n = from / 4; n < (to + 3) / 4; n++) {
        uint32_t value = shared[n];

        if (value != twin[n])
            merge_word(&here[n], &twin[n], value);
    }
}

void crf_notify(const uint16_t *pages, uint32_t count)
{
    if (crf_model->notify)
        crf_model->notify(pages, count);
}

/* Closes pages that were not written since the last release, so that their next
 * write faults. */
static void close_unwritten(void)
{
    uint32_t kept = 0;

    for (uint32_t n = 0; n < crf_dirty_count; n++) {
        uint32_t page = crf_dirty[n];

        if (crf_state[page] != CRF_DIRTY &&
            !crf_try_protect(page, 1, PROT_READ))
            crf_state[page] = CRF_DIRTY;
        if (crf_state[page] == CRF_DIRTY)
            crf_dirty[kept++] = (uint16_t)page;
    }
    crf_dirty_count = kept;
}

void crf_commit_dirty(void)
{
    static uint16_t changed[2 * CRF_PAGES_MAX];
    uint32_t count = 0, all = crf_dirty_count;
    /* Cores that wrote the same pages begin with different ones. */
    uint32_t first = all * (uint32_t)crf_my_rank / (uint32_t)crf_all_ranks;

    for (uint32_t n = 0; n < all; n++) {
        uint32_t page = crf_dirty[(first + n) % all];

        if (crf_commit_bytes(page, 0, CRF_PAGE))
            changed[count++] = (uint16_t)page;
        else
            crf_state[page] = CRF_CLEAN;
    }
    if (count < all)
        close_unwritten();
    count = crf_stack_commit(changed, count);
    count = crf_atomic_changed(changed, count);
    crf_notify(changed, count);
}

void crf_undirty(uint32_t page)
{
    for (uint32_t n = 0; n < crf_dirty_count; n++)
        if (crf_dirty[n] == page) {
            crf_dirty[n] = crf_dirty[--crf_dirty_count];
            return;
        }
}

void crf_forget_clean(uint32_t page)
{
    crf_state[page] = CRF_ABSENT;
    crf_counted.forgotten++;
    crf_protect(page, 1, PROT_NONE);
}

/* Neighbours that are given up lose their permission together. */
static uint32_t first_given_up, given_up_count;

void crf_close_given_up(void)
{
    if (given_up_count)
        crf_protect(first_given_up, given_up_count, PROT_NONE);
    given_up_count = 0;
}

static void close_with_neighbours(uint32_t page)
{
    if (given_up_count && page == first_given_up + given_up_count &&
        crf_page_address(page) ==
            crf_page_address(first_given_up) + given_up_count * CRF_PAGE) {
        given_up_count++;
        return;
    }
    crf_close_given_up();
    first_given_up = page;
    given_up_count = 1;
}

void crf_give_up(uint32_t page)
{
    if (crf_own_stack(page)) {
        crf_stack_merge(page);
        return;
    }
    if (crf_state[page] == CRF_ABSENT || crf_state[page] == CRF_GUARD)
        return;
    if (crf_state[page] == CRF_DIRTY) {
        uint16_t self = (uint16_t)page;

        if (crf_commit_bytes(page, 0, CRF_PAGE))
            crf_notify(&self, 1);
        crf_undirty(page);
    }
    crf_state[page] = CRF_ABSENT;
    crf_counted.forgotten++;
    close_with_neighbours(page);
}
