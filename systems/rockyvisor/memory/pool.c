/*
 * pool.c: pages of the core's private memory, of which none is ever given
 * back, and the window for devices.
 */
#include "visor.h"
#include "scc/cache.h"
#include "common/processor.h"

extern u32 visor_tables[VISOR_TABLES * 1024];
static u32 next, limit;

void pool_init(u32 start, u32 end)
{
    next = (start + PAGE - 1) & -PAGE;
    limit = end < VISOR_SEES ? end : VISOR_SEES;
}

/* A line is read before it is written, so that L1 takes the stores: the caches
 * allocate nothing on a write. */
static void clear(u32 *page)
{
    for (u32 n = 0; n < PAGE / 4; n += SCC_LINE_SIZE / 4) {
        read_register((u32)&page[n]);
        for (u32 word = 0; word < SCC_LINE_SIZE / 4; word++)
            page[n + word] = 0;
    }
}

/* A page of zeros; NULL: there is none left. */
void *pool_page(void)
{
    void *page = (void *)(VISOR_BASE + next);

    if (next + PAGE > limit)
        return NULL;
    next += PAGE;
    clear(page);
    return page;
}

/* Pages one behind the other; for the start, when there must be room. */
void *pool_pages(u32 count)
{
    void *first = pool_page();

    while (--count && pool_page())
        ;
    if (!first || count)
        stop("no memory for the hypervisor");
    return first;
}

u32 physical_of(const void *address)
{
    return (u32)address - VISOR_BASE;
}

/* Where the device that begins in this page is seen, uncached; the page that
 * the address lies in, and each is mapped once. */
u32 device_page(u32 physical)
{
    u32 *table = &visor_tables[(DEVICE_BASE - VISOR_BASE) / PAGE], n = 0;
    u32 entry = (physical & -PAGE) | PTE_PRESENT | PTE_WRITE | PTE_UNCACHED;

    while (table[n] && (table[n] | PTE_ACCESSED | PTE_DIRTY) !=
                           (entry | PTE_ACCESSED | PTE_DIRTY))
        if (++n == 1024)
            give_up("too many devices", physical);
    table[n] = entry;
    return DEVICE_BASE + n * PAGE + physical % PAGE;
}

/* Several, one behind the other, none of which has been mapped before. */
u32 device_pages(u32 physical, u32 bytes)
{
    u32 first = device_page(physical);

    for (u32 done = PAGE; done < bytes; done += PAGE)
        device_page(physical + done);
    return first;
}
