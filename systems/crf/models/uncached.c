/*
 * uncached.c: no copies: each load and store of a shared page goes past the
 * caches to memory off-die, one after another, so all cores see the same. Slow;
 * for `rck run --check races`, which sees each access there.
 *
 * Pages lie one behind the other, not dealt out: few mappings. Lent segments
 * are mapped at the first access of each.
 */
#include "../pages/pages.h"
#include "model.h"
#include "scc/memory_map.h"

#include <string.h>
#include <sys/mman.h>

/* Pages from..to of the program are those off-die from now on. */
static void map(uint32_t from, uint32_t to, uint32_t physical)
{
    char *at = crf_page_address(from);

    if (from < to && scc_map_at(SCC_UNCACHED, physical, (to - from) * CRF_PAGE,
                                at, SCC_THERE, PROT_READ | PROT_WRITE) != at)
        crf_fail("a smaller program", "no addresses for the shared memory");
}

static void map_own(uint32_t from, uint32_t to)
{
    map(from, to < crf_own_pages ? to : crf_own_pages,
        SCC_SHARED_BASE + CRF_CONTROL_SIZE + from * CRF_PAGE);
}

static uint32_t bounded(uint32_t page, uint32_t least, uint32_t most)
{
    return page < least ? least : page > most ? most : page;
}

/* A lent segment may have the end of the data and the begin of the arena. */
static void map_lent(uint32_t page)
{
    uint32_t lent = (page - crf_own_pages) & -CRF_SEGMENT_PAGES;
    uint32_t from = crf_own_pages + lent, to = from + CRF_SEGMENT_PAGES;
    uint32_t border = bounded(crf_data_pages, from, to);

    if (!crf_lent)
        crf_lent_start();
    map(from, border, crf_lent_physical(lent));
    map(border, to, crf_lent_physical(lent) + (border - from) * CRF_PAGE);
    for (uint32_t n = from; n < to; n++)
        if (crf_state[n] == CRF_GUARD)
            crf_protect(n, 1, PROT_NONE);
    scc_map_close();
}

/* What the loader made of the data is there on each core; one of them writes
 * it, before others have threads. */
static void write_data(uint32_t bytes)
{
    char *there =
        crf_map(SCC_UNCACHED, SCC_SHARED_BASE + CRF_CONTROL_SIZE, bytes);

    memcpy(there, crf_page_address(0), bytes);
    munmap(there, bytes);
}

static void start(void)
{
    uint32_t data = 0, border;

    scc_claim(SCC_SHARED, SCC_ALONE, 0,
              CRF_CONTROL_SIZE + crf_own_pages * CRF_PAGE, NAME);

    while (data < crf_data_pages && crf_is_initialised(data))
        data++;
    if (crf_my_rank == 0 && data)
        write_data(data * CRF_PAGE);
    /* The libraries' data lie between: each core's own. */
    map_own(0, data);
    map_own(data, crf_data_pages);
    map_own(crf_data_pages, crf_pages);
    border = bounded(crf_data_pages, crf_own_pages, crf_pages);
    crf_protect(crf_own_pages, border - crf_own_pages, PROT_NONE);
    crf_protect(border, crf_pages - border, PROT_NONE);
    memset(crf_state, CRF_OWN, crf_pages);
}

/* All pages are open but those of lent segments. */
static void fault(uint32_t page, int write, greg_t *registers)
{
    (void)registers;
    if (page >= crf_own_pages) {
        map_lent(page);
        return;
    }
    crf_fail("report it", "page %u cannot be %s", (unsigned)page,
             write ? "written" : "read");
}

static void nothing(void)
{
}

const struct crf_model crf_uncached = {
    .name = "uncached",
    .borrows = 1,
    .start = start,
    .fault = fault,
    .release = nothing,
    .acquire = nothing,
    .stack_open = crf_direct_stack_open,
    .change = crf_direct_change,
    .await_mail = crf_read_mail,
};
