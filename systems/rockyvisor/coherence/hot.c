/*
 * hot.c: pages that would move all the time. Each core sees a hot page past its
 * caches and may only read it, so no core has anything to give up. A core that
 * writes the page takes the page's lock, lets the guest execute that one
 * instruction, and gives the lock back: stores and locked instructions of
 * several cores come one after the other.
 */
#include "coherence/coherence.h"
#include "common/processor.h"

/* A page's heat is how many cores had to give it up lately: one is forgotten in
 * 65,536 cycles, of which moving the page to a core takes a tenth. Heat and its
 * time are in the entry's state. */
#define COOLS_SHIFT 16u
#define HOT_AT 24u
#define ADDS_MOST 12u
#define HEAT_SHIFT 14u
#define HEAT 0xFFu
#define TIME_SHIFT 22u
#define ALONE_MOST 16u /* writes of one core, without another's between them */

static u32 open;                   /* the page that this core writes, + 1 */
static u8 alone[GUEST_MAX / PAGE]; /* this core's writes since another's */

/* The part of an entry's state, after the page was taken from so many others. */
u32 heat_after(u32 state, u32 others)
{
    u32 now = (u32)(read_tsc() >> COOLS_SHIFT) << TIME_SHIFT;
    s32 passed = (s32)(now - state) >> TIME_SHIFT;
    u32 heat = state >> HEAT_SHIFT & HEAT;

    if (passed < 0 || heat < (u32)passed)
        heat = 0;
    else
        heat -= (u32)passed;
    return now | (heat + (others < ADDS_MOST ? others : ADDS_MOST))
                     << HEAT_SHIFT;
}

bool heat_is_high(u32 heat)
{
    return (heat >> HEAT_SHIFT & HEAT) >= HOT_AT;
}

/* False: the page should be this core's own, since no other one writes it, or
 * since an instruction writes two pages that are hot. Whoever waits for the lock
 * serves others, and may lose the page. */
bool hot_open(u32 page)
{
    if (open == page + 1)
        return true;
    if (open) {
        hot_close();
        return false;
    }
    page_lock(page);
    if (page_is_hot(page)) {
        if (!entry_is_mine(page))
            alone[page] = 0;
        if (++alone[page] <= ALONE_MOST) {
            open = page + 1;
            counts.hot_writes++;
            steps_begin(current);
            return true;
        }
    }
    page_unlock(page);
    return !page_is_hot(page);
}

bool hot_is_open(u32 page)
{
    return open == page + 1;
}

/* The instruction is done, or needs another page first. */
void hot_close(void)
{
    u32 page = open - 1;

    if (!open)
        return;
    open = 0;
    shadow_drop_page(page, WRITES);
    page_unlock(page);
}
