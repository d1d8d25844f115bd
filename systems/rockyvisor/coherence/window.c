/*
 * window.c: pages stay until the instruction that needs them is done, or else
 * two cores whose instructions need the same two pages might take them from
 * each other for ever.
 *
 * A core that is asked for such a page lets the guest execute one instruction
 * first. While it waits for another page itself, it keeps what it has from
 * cores behind it in the order of cores, so of any circle the first gets all.
 */
#include "coherence/coherence.h"

/* More than the pages of an instruction: two of code, four of data, a table of
 * each, and their directory. A repeated one goes on to others, so the pages that
 * came last are kept. */
#define MOST 16u

struct asked {
    u32 index, page, kind;
};

static u32 window_eip, pages[MOST], page_count;
static struct asked deferred[CORES];
static u32 deferred_count;

static bool is_open(void)
{
    return current && page_count && current->frame.eip == window_eip;
}

void window_add(u32 page)
{
    if (!is_open()) {
        window_eip = current->frame.eip;
        page_count = 0;
    }
    pages[page_count++ % MOST] = page;
}

static bool has(u32 page)
{
    for (u32 n = 0; n < page_count && n < MOST; n++)
        if (pages[n] == page)
            return true;
    return false;
}

/* The holder of a lock may wait for any page, so nothing is kept from it. */
static bool goes_before(u32 index, enum waiting waiting)
{
    return waiting == FOR_A_LOCK ||
           (waiting == FOR_A_REPLY && index < core_index);
}

/* True: the core that asks is answered later, when the instruction is done. */
bool window_defers(u32 index, u32 page, u32 kind, enum waiting waiting)
{
    if (goes_before(index, waiting) || !is_open() || !has(page))
        return false;
    deferred[deferred_count++] = (struct asked){index, page, kind};
    return true;
}

/* The instruction is done, or another one is next. */
void window_close(void)
{
    page_count = 0;
    while (deferred_count) {
        struct asked *a = &deferred[--deferred_count];

        page_reply(a->index, a->page, a->kind);
    }
}

/* This core waits now, and did not when it was asked. */
void window_reconsider(enum waiting waiting)
{
    for (u32 n = deferred_count; n-- > 0;) {
        struct asked a = deferred[n];

        if (!goes_before(a.index, waiting))
            continue;
        deferred[n] = deferred[--deferred_count];
        page_reply(a.index, a.page, a.kind);
    }
}

/* On the way to the guest. */
void window_watch(void)
{
    if (!deferred_count)
        return;
    if (is_open())
        steps_begin(current);
    else
        window_close();
}
