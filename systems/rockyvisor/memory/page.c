/* page.c: which of the guest's pages this core holds, and how. */
#include "visor.h"
#include "scc/memory_map.h"

#define CONTROLLERS 4
#define KEPT 0x100000u /* of each controller's share, for the directory */

extern u32 visor_tables[VISOR_TABLES * 1024];

/* Neighbours lie behind different controllers. */
static u32 frame_of(u32 page)
{
    return SCC_SHARED_BASE +
           page % CONTROLLERS * (SCC_SHARED_SIZE / CONTROLLERS) + KEPT +
           page / CONTROLLERS * PAGE;
}

void memory_init(void)
{
    u32 *entries = &visor_tables[(GUEST_BASE - VISOR_BASE) / PAGE];

    for (u32 page = 0; page < options.memory / PAGE; page++)
        entries[page] = frame_of(page) | PTE_PRESENT | PTE_WRITE;
}

void *page_hold(u32 page, bool write)
{
    (void)write;
    return (void *)(GUEST_BASE + page * PAGE);
}

u32 page_entry(u32 page, bool write)
{
    (void)write;
    return frame_of(page) | PTE_PRESENT | PTE_WRITE;
}
