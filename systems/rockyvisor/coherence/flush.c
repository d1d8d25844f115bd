/*
 * flush.c: caches give up all that they have. L2 has no instruction for that:
 * other lines displace what is there.
 *
 * Each core counts its flushes where the others see it, once as one begins and
 * once as it ends. So a flush serves all who have asked before it began, and who
 * asks need not wait for it.
 */
#include "coherence/coherence.h"
#include "scc/cache.h"
#include "common/processor.h"

#define WINDOWS 2u

static u32 windows;
static u32 awaited[CORES]; /* counts of those that were asked */

void flush_init(void)
{
    windows = (u32)pool_pages(WINDOWS * SCC_L2_SIZE / PAGE);
}

/* As many lines as L2 has. Nothing else is read meanwhile, or a line could stay. */
static void displace(u32 window)
{
    mail_live();
    for (u32 at = 0; at < SCC_L2_SIZE; at += SCC_LINE_SIZE)
        read_register(window + at);
}

/* L1 first, since a read that hits it displaces nothing in L2. Lines of the second
 * window are there from the flush before, so those of the first are not. */
void flush_caches(void)
{
    mail_flush_turns();
    __asm__ volatile("wbinvd" : : : "memory");
    for (u32 n = 0; n < WINDOWS; n++)
        displace(windows + n * SCC_L2_SIZE);
    mail_flush_turns();
    counts.cache_flushes++;
}

static bool has_flushed(u32 index, u32 count)
{
    return (s32)(mail_flushes(index) - count) >= 0;
}

/* Another core asks. */
void flush_until(u32 count)
{
    if (!has_flushed(core_index, count))
        flush_caches();
}

/* A flush that is under way now has begun too early. */
void flush_ask(void)
{
    for (u32 n = 0; n < options.core_count; n++)
        awaited[n] = (mail_flushes(n) + 3) & ~1u;
    for (u32 n = 0; n < options.core_count; n++)
        if (n != core_index)
            mail_flush(n, awaited[n]);
}

/* Whether all other cores have flushed since they were asked. */
bool flush_is_done(void)
{
    for (u32 n = 0; n < options.core_count; n++)
        if (n != core_index && !has_flushed(n, awaited[n]))
            return false;
    return true;
}

void flush_await(void)
{
    for (u32 n = 0; n < options.core_count; n++)
        if (n != core_index)
            mail_await_flushes(n, awaited[n]);
}
