/* What all regions of the program amount to, and whether there may be more. */
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"

static u32 anonymous_pages, promised_pages;
static u32 all_pages, most_pages; /* now, and ever */

static u32 pages_of(const struct region *region)
{
    return (region->end - region->start) / PAGE_SIZE;
}

static void count(const struct region *region, u32 pages)
{
    anonymous_pages += pages;
    if (!region->unpromised)
        promised_pages += pages;
}

void region_count_in(const struct region *region)
{
    if (region->kind == REGION_ANONYMOUS)
        count(region, pages_of(region));
    all_pages += pages_of(region);
    if (most_pages < all_pages)
        most_pages = all_pages;
}

void region_count_out(const struct region *region)
{
    if (region->kind == REGION_ANONYMOUS)
        count(region, -pages_of(region));
    all_pages -= pages_of(region);
}

u32 region_anonymous_pages(void)
{
    return anonymous_pages;
}

u32 region_promised_pages(void)
{
    return promised_pages;
}

u32 region_pages(void)
{
    return all_pages;
}

u32 region_pages_most(void)
{
    return most_pages;
}

/* Memory is promised only as far as there are frames for it; part of them
 * will be page tables. A program then sees ENOMEM, not a fault later. */
bool region_promise(u32 length)
{
    u32 limit = frames_total() - frames_total() / 512;

    return promised_pages + length / PAGE_SIZE <= limit;
}
