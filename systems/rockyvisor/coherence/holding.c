/*
 * holding.c: what this core holds of each page of the guest, and how it gives a
 * page up.
 */
#include "coherence/coherence.h"
#include "scc/cache.h"
#include "common/processor.h"

extern u32 visor_tables[VISOR_TABLES * 1024];
u32 losses;
u32 held[GUEST_MAX / PAGE];

u32 page_address(u32 page)
{
    return GUEST_BASE + page * PAGE;
}

static u32 type_bits(u32 state, bool text)
{
    if (state & HOT)
        return PTE_PRESENT | PTE_UNCACHED;
    switch (state & STATE) {
    case PRIVATE:
        return PTE_PRESENT | PTE_WRITE;
    case OWNED:
        return PTE_PRESENT | PTE_WRITE | PTE_UNCACHED;
    default:
        return PTE_PRESENT | (text ? 0 : PTE_MPBT);
    }
}

/* Bits of an entry of a shadow for the page. */
u32 page_bits(u32 page, bool text)
{
    return (held[page] & -PAGE) | type_bits(held[page], text);
}

/* The hypervisor's own view of the page. */
static void show(u32 page)
{
    u32 *at = &visor_tables[(page_address(page) - VISOR_BASE) / PAGE];
    *at = held[page] & STATE ? page_bits(page, false) : 0;
    invalidate_page(page_address(page));
}

void page_held(u32 page, u32 state, u32 frame)
{
    held[page] = frame | (state & (STATE | TEXT | HOT));
    show(page);
}

/* What this core has of the page, in shadows and in lines of the type that one
 * instruction drops. */
void page_let_go(u32 page, u32 state, u32 frame)
{
    shadow_drop_page(page, state == READ ? MAPPINGS : ALL);
    scc_cl1invmb();
    page_held(page, state, frame);
    losses++;
}

/* No cache has a line of a private page any more; returns its frame. */
static u32 leave_caches(u32 page, u32 frame)
{
    u32 fresh = frame_take();

    if (!fresh) {
        flush_caches();
        return frame;
    }
    frame_copy((const void *)page_address(page), fresh);
    frame_retire(frame);
    return fresh;
}

/* Asked by another core; returns the frame in which the page is current. */
u32 page_given(u32 page, u32 kind)
{
    u32 frame = held[page] & -PAGE, state = held[page] & STATE;

    counts.gave++;
    if (state == PRIVATE)
        frame = leave_caches(page, frame);
    page_let_go(page, kind == GIVE_READ ? READ : UNUSED, frame);
    return frame;
}
