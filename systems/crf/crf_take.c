/*
 * crf_take.c: pages of the arena behind those in use, for the heap, for stacks
 * and for mmap; nobody gives pages back here.
 */
#include "crf_private.h"
#include "models/model.h"
#include "pages/pages.h"

/* The number of pages from `begin` on; other cores lend some if `count` need
 * them. */
static uint32_t room_for(uint32_t begin, uint32_t count)
{
    uint32_t end = crf_own_pages;

    if (count > end - begin || begin > end)
        end += crf_lend();
    return end - begin;
}

char *crf_take_pages_at(uint32_t count, int rank, const char *where)
{
    uint32_t begin;
    char *at;
    int fits;

    crf_guard(0);
    begin = crf_pages_used();
    at = CRF_ARENA + (begin - crf_data_pages) * CRF_PAGE;
    fits = (!where || at == where) && count <= room_for(begin, count);
    if (fits)
        crf_control->heap_next += count;
    crf_unguard(0);
    if (!fits)
        return NULL;
    if (crf_model->taken)
        crf_model->taken(begin, count, rank);
    return at;
}

char *crf_take_pages(uint32_t count, int rank)
{
    return crf_take_pages_at(count, rank, NULL);
}

uint32_t crf_pages_used(void)
{
    return crf_data_pages + crf_stacks_pages() + crf_control->heap_next;
}

uint32_t crf_pages_left(void)
{
    return crf_own_pages + crf_control->lent_count * CRF_SEGMENT_PAGES -
           crf_pages_used();
}
