/*
 * lent.c: shared pages in the memory of cores that do not run.
 *
 * A core in reset has private memory behind the first entries of its LUT. When
 * the memory that all cores share is used up, one core chooses segments of such
 * cores, behind all four controllers if it can, and writes their entries into
 * the control block; each core puts them into free entries of its own LUT when
 * it first needs one of these pages [karavadara-lpel, section 3.1].
 */
#include "../models/model.h"
#include "pages.h"

#include <sys/mman.h>

#define OF_EACH (CRF_LENT_SEGMENTS / CRF_CONTROLLERS)

uint32_t crf_lent;

static uint8_t entry_of[CRF_LENT_SEGMENTS]; /* of this core's LUT */

/* True if the core is in reset and has no rank. A launcher may have loaded it
 * for a later start, so segments are taken from the end of its memory. */
static int is_idle(int core)
{
    volatile uint32_t *tile = scc_registers(core);
    uint32_t reset = 1u << scc_half_of(core);

    for (int rank = 0; rank < crf_all_ranks; rank++)
        if (crf_core_of[rank] == core)
            return 0;
    return tile && (tile[SCC_CRB_GCBCFG / 4] & reset);
}

/* The number of segments chosen so far that lie behind the same controller. */
static uint32_t chosen_by(uint32_t route, uint32_t count)
{
    uint32_t found = 0;

    for (uint32_t n = 0; n < count; n++)
        found += scc_lut_route(crf_control->lent[n]) == route;
    return found;
}

static int is_chosen(uint32_t value, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (crf_control->lent[n] == value)
            return 1;
    return 0;
}

/* Adds segments of a core, at most `most` behind one controller. */
static uint32_t choose_from(int core, uint32_t count, uint32_t most)
{
    volatile uint32_t *lut = scc_lut(core);

    for (int n = scc_lut_private(lut) - 1; n > 0; n--) {
        uint32_t value = scc_lut_entry(lut, n);

        if (count == CRF_LENT_SEGMENTS ||
            chosen_by(scc_lut_route(value), count) >= most)
            break;
        if (!is_chosen(value, count))
            crf_control->lent[count++] = value;
    }
    return count;
}

static uint32_t choose(void)
{
    uint32_t count = 0;

    for (int core = CRF_CORES - 1; core >= 0; core--)
        if (is_idle(core))
            count = choose_from(core, count, OF_EACH);
    for (int core = CRF_CORES - 1; core >= 0; core--)
        if (is_idle(core))
            count = choose_from(core, count, CRF_LENT_SEGMENTS);
    return count;
}

static void show(uint32_t segment)
{
    static int from;
    volatile uint32_t *own = scc_lut(crf_core_of[crf_my_rank]);
    char *at = crf_lines + CRF_SHARED + segment * SCC_SEGMENT;
    int entry = scc_lut_free(own, from, NAME);

    if (entry < 0)
        crf_fail("leave out libraries that use LUT entries",
                 "no free LUT entry for %u MB of lent memory",
                 (unsigned)(crf_lent * (SCC_SEGMENT >> 20)));
    scc_claim(SCC_LUT_ENTRY, SCC_ALONE, (uint32_t)entry, 1, NAME);
    scc_lut_set(own, entry, crf_control->lent[segment]);
    entry_of[segment] = (uint8_t)entry;
    from = entry + 1;
    if (scc_map_at(SCC_MPBT, crf_lent_physical(segment * CRF_SEGMENT_PAGES),
                   SCC_SEGMENT, at, SCC_IF_FREE, PROT_READ | PROT_WRITE) != at)
        crf_fail("leave out fixed mappings above 0x70000000",
                 "no addresses for lent memory");
}

/* The number of pages that idle cores lend; guard 0 is held, so one core
 * chooses for all. */
uint32_t crf_lend(void)
{
    if (crf_model->borrows && !crf_control->lent_known) {
        crf_control->lent_count = choose();
        crf_control->lent_known = 1;
    }
    return crf_control->lent_count * CRF_SEGMENT_PAGES;
}

uint32_t crf_shared_bytes(void)
{
    return CRF_SHARED + crf_control->lent_count * SCC_SEGMENT;
}

void crf_lent_start(void)
{
    crf_lent = crf_control->lent_count;
    for (uint32_t segment = 0; segment < crf_lent; segment++)
        show(segment);
    scc_map_close(); /* low numbers of files are the program's */
}

/* `page` counts from the first of the lent pages, which lie one behind the
 * other here. */
uint32_t crf_lent_physical(uint32_t page)
{
    return ((uint32_t)entry_of[page / CRF_SEGMENT_PAGES] << SCC_SEGMENT_SHIFT) +
           page % CRF_SEGMENT_PAGES * CRF_PAGE;
}
