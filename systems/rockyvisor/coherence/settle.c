/*
 * settle.c: a page that one core has owned for a while becomes private to it
 * again, and is used through its caches. No cache has lines of its frame, for
 * a page that was private leaves its frame when it is given up.
 */
#include "coherence/coherence.h"
#include "common/processor.h"

#define REMEMBERED 256u
#define SETTLED 2000000u /* cycles: about 4 ms, in which a copy is 2 % */

static u16 pages[REMEMBERED];
static u32 first, count;            /* the oldest, and how many */
static u32 since[GUEST_MAX / PAGE]; /* when this core got the page */
static bool is_remembered[GUEST_MAX / PAGE];

static void remember(u32 page)
{
    if (is_remembered[page] || count == REMEMBERED)
        return;
    is_remembered[page] = true;
    pages[(first + count++) % REMEMBERED] = (u16)page;
}

/* This core owns the page from now on. */
void settle_later(u32 page)
{
    since[page] = (u32)read_tsc();
    remember(page);
}

static void settle_next(u32 now)
{
    u32 page = pages[first];

    first = (first + 1) % REMEMBERED;
    count--;
    is_remembered[page] = false;
    if (now - since[page] < SETTLED)
        remember(page);
    else
        page_settle(page);
}

/* On the way to the guest, where no page is awaited: so many pages that each is
 * looked at once in that time, however seldom the guest traps. */
void settle(void)
{
    static u32 looked;
    u32 now = (u32)read_tsc(), due = (now - looked) / (SETTLED / REMEMBERED);

    if (!count || !due || current->steps)
        return;
    looked = now;
    for (due = due < count ? due : count; due; due--)
        settle_next(now);
}
