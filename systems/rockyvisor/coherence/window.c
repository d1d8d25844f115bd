/*
 * window.c: pages stay until the instruction that needs them is done, or else
 * two cores whose instructions need the same two pages might take them from
 * each other for ever.
 *
 * A core that is asked for such a page lets the guest execute one instruction
 * first. While it waits for another page itself, it gives what it has to a core
 * whose instruction began earlier, and refuses all others, who ask again: so of
 * any circle the oldest instruction gets all, and each becomes the oldest.
 */
#include "coherence/coherence.h"
#include "common/processor.h"

/* More than the pages of an instruction: two of code, four of data, a table of
 * each, and their directory. A repeated one goes on to others, so the pages that
 * came last are kept. */
#define MOST 16u
#define AGE_SHIFT 8u /* ages go round after half an hour */

static bool opened;
static u32 window_eip, age, pages[MOST], page_count;
static struct asked deferred[CORES];
static u32 deferred_count;

static bool is_open(void)
{
    return opened && current && current->frame.eip == window_eip;
}

/* An instruction needs a page that this core has not: when it began to. */
void window_open(void)
{
    if (is_open())
        return;
    opened = true;
    window_eip = current->frame.eip;
    page_count = 0;
    age = (u32)(read_tsc() >> AGE_SHIFT);
}

u32 window_age(void)
{
    return age;
}

void window_add(u32 page)
{
    pages[page_count++ % MOST] = page;
}

/* The page's place, or NULL. */
static u32 *find(u32 page)
{
    for (u32 n = 0; n < page_count && n < MOST; n++)
        if (pages[n] == page)
            return &pages[n];
    return NULL;
}

static bool goes_before(const struct asked *a)
{
    s32 older = (s32)(age - a->age);

    return older > 0 || (older == 0 && a->index < core_index);
}

static void decide(const struct asked *a)
{
    u32 *at = is_open() ? find(a->page) : NULL;

    if (at && !goes_before(a)) {
        page_refuse(a->index);
        return;
    }
    if (at)
        *at = NO_PAGE;
    page_reply(a);
}

/* Answers another core now, or when the instruction is done. */
void window_asked(const struct asked *a, enum waiting waiting)
{
    if (waiting == FOR_NOTHING && is_open() && find(a->page))
        deferred[deferred_count++] = *a;
    else
        decide(a);
}

/* The instruction is done, or another one is next. */
void window_close(void)
{
    opened = false;
    while (deferred_count)
        page_reply(&deferred[--deferred_count]);
}

/* This core waits now, and did not when it was asked. */
void window_reconsider(enum waiting waiting)
{
    while (waiting != FOR_NOTHING && deferred_count)
        decide(&deferred[--deferred_count]);
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
