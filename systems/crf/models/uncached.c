/*
 * uncached.c: no copies: each load and store of a shared page goes past the
 * caches to memory off-die, one after another, so all cores see the same. Slow;
 * for `rck run --check races`, which sees each access there.
 *
 * Pages lie one behind the other, not dealt out: few mappings.
 */
#include "../pages/pages.h"
#include "model.h"
#include "scc/memory_map.h"

#include <string.h>
#include <sys/mman.h>

/* Pages first..first + count of the program are those off-die from now on. */
static void map(uint32_t first, uint32_t count)
{
    char *at = crf_page_address(first);
    uint32_t physical = SCC_SHARED_BASE + CRF_CONTROL_SIZE + first * CRF_PAGE;

    if (count && scc_map_at(SCC_UNCACHED, physical, count * CRF_PAGE, at,
                            SCC_THERE, PROT_READ | PROT_WRITE) != at)
        crf_fail("a smaller program", "no addresses for the shared memory");
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
    uint32_t data = 0;

    scc_claim(SCC_SHARED, SCC_ALONE, 0, CRF_CONTROL_SIZE + crf_pages * CRF_PAGE,
              NAME);

    while (data < crf_data_pages && crf_is_initialised(data))
        data++;
    if (crf_my_rank == 0 && data)
        write_data(data * CRF_PAGE);
    /* The libraries' data lie between: each core's own. */
    map(0, data);
    map(data, crf_data_pages - data);
    map(crf_data_pages, crf_pages - crf_data_pages);
    memset(crf_state, CRF_OWN, crf_pages);
}

/* All pages are open. */
static void fault(uint32_t page, int write, greg_t *registers)
{
    (void)registers;
    crf_fail("report it", "page %u cannot be %s", (unsigned)page,
             write ? "written" : "read");
}

static void nothing(void)
{
}

const struct crf_model crf_uncached = {
    .name = "uncached",
    .start = start,
    .fault = fault,
    .release = nothing,
    .acquire = nothing,
    .stack_open = crf_direct_stack_open,
    .change = crf_direct_change,
    .await_mail = crf_read_mail,
};
