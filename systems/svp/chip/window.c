/*
 * window.c: memory of other cores, seen through LUT entries that are free.
 *
 * A window is a segment of this core's addresses that no unit has by default.
 * To look at a segment of another core, its entry is read from that core's LUT
 * and written into ours. The window's pages are message memory (MPBT): L1
 * alone keeps its lines, until CL1INVMB, and stores go out in whole lines.
 */
#include "rck_mark.h"
#include "scc/cache.h"
#include "svp_private.h"

static struct window {
    int users;
    int rank; /* whose; -1: nobody's yet */
    uint32_t segment;
    uint32_t last_use;
} windows[WINDOWS];
static uint32_t uses;

SCC_PLAN(entries, SCC_LUT_ENTRY, SCC_ALONE, WINDOW_FIRST, WINDOWS, NAME);

void svp_window_start(void)
{
    for (int n = 0; n < WINDOWS; n++)
        windows[n].rank = -1;
    scc_claim(SCC_LUT_ENTRY, SCC_ALONE, WINDOW_FIRST, WINDOWS, NAME);
    svp_device(SCC_MPBT, WINDOW_BASE, WINDOW_FIRST * SEGMENT,
               WINDOWS * SEGMENT);
}

/* One that shows the segment already, or the one that nobody has used for the
 * longest time. */
static struct window *find(int rank, uint32_t segment)
{
    struct window *oldest = NULL;

    for (int n = 0; n < WINDOWS; n++) {
        struct window *window = &windows[n];

        if (window->rank == rank && window->segment == segment)
            return window;
        if (!window->users && (!oldest || window->last_use < oldest->last_use))
            oldest = window;
    }
    return oldest;
}

char *svp_open(int rank, uint32_t physical)
{
    uint32_t segment = physical / SEGMENT;
    struct window *window = find(rank, segment);
    uint32_t number;

    if (!window)
        svp_fail("svp_unmap what is not read any more",
                 "no free LUT entry: all %d show memory that is mapped",
                 WINDOWS);
    number = (uint32_t)(window - windows);
    if (window->rank != rank || window->segment != segment) {
        svp_lut(svp_me)[2 * (WINDOW_FIRST + number)] =
            svp_lut(rank)[2 * segment];
        window->rank = rank;
        window->segment = segment;
    }
    window->users++;
    window->last_use = ++uses;
    return WINDOW_BASE + number * SEGMENT + physical % SEGMENT;
}

void svp_close(const char *window)
{
    windows[(uint32_t)(window - WINDOW_BASE) / SEGMENT].users--;
}

uint32_t svp_windows_open(void)
{
    uint32_t count = 0;

    for (int n = 0; n < WINDOWS; n++)
        count += (uint32_t)windows[n].users;
    return count;
}

void svp_flush(void)
{
    rck_region_begin("svp flush");
    (void)scc_flush_l2();
    svp_counted.flushes++;
    rck_region_end("svp flush");
}

const void *svp_map(svp_place place, const void *memory, size_t bytes)
{
    int rank = svp_place_check(place, "svp_map");
    uint32_t at = svp_physical(memory);

    if (!bytes || !svp_in_memory(memory, bytes) ||
        at / SEGMENT != (at + bytes - 1) / SEGMENT)
        svp_fail("map what svp_alloc gave, 16 MB at most, in parts where it "
                 "crosses a segment",
                 "svp_map: %zu bytes at %p are not in one segment of memory",
                 bytes, memory);
    char *mapped = svp_open(rank, at);
    scc_cl1invmb();
    return mapped;
}

void svp_unmap(const void *mapped)
{
    uint32_t number = (uint32_t)((const char *)mapped - WINDOW_BASE) / SEGMENT;

    if (number >= WINDOWS || !windows[number].users)
        svp_fail("unmap once what svp_map gave",
                 "svp_unmap: nothing is mapped at %p", mapped);
    svp_close(mapped);
}
