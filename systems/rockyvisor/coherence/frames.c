/*
 * frames.c: page frames: where each page of the guest lies at first, and this
 * core's share of those to which pages move.
 *
 * A frame that a core has used through its caches may still have lines in its
 * L2 when its page has moved on. It is used again only after this core has
 * flushed its L2, which has no instruction for that: other lines displace what
 * is there.
 */
#include "coherence/coherence.h"
#include "scc/cache.h"
#include "scc/memory_map.h"
#include "common/processor.h"

#define FRAMES ((PART - KEPT) / PAGE * CONTROLLERS)
#define FLUSH_TWICE 2 /* the caches' replacement is not exactly by age */

extern u32 visor_tables[VISOR_TABLES * 1024];
static u32 window_to, window_from; /* addresses of pages of the device window */
static u32 next_number;            /* of frames never used */
static u32 retired[FRAMES], retired_count, free_count;
static u32 flush_area;

/* Neighbours lie behind different controllers. */
static u32 frame_at(u32 number)
{
    return SCC_SHARED_BASE + number % CONTROLLERS * PART + KEPT +
           number / CONTROLLERS * PAGE;
}

u32 first_frame(u32 page)
{
    return frame_at(page);
}

void frames_init(void)
{
    next_number = options.memory / PAGE + core_index;
    window_to = device_page(SCC_SHARED_BASE + KEPT);
    window_from = device_page(SCC_SHARED_BASE + KEPT + PAGE);
    if (options.core_count > 1)
        flush_area = (u32)pool_pages(SCC_L2_SIZE / PAGE);
}

static u32 show(u32 window, u32 frame)
{
    visor_tables[(window - VISOR_BASE) / PAGE] =
        frame | PTE_PRESENT | PTE_WRITE | PTE_MPBT;
    invalidate_page(window);
    return window;
}

static void flush_caches(void)
{
    for (u32 round = 0; round < FLUSH_TWICE; round++)
        for (u32 at = 0; at < SCC_L2_SIZE; at += SCC_LINE_SIZE)
            read_register(flush_area + at);
    __asm__ volatile("wbinvd" : : : "memory");
    for (u32 at = 0; at < SCC_L2_SIZE; at += SCC_LINE_SIZE)
        read_register(flush_area + at);
    counts.cache_flushes++;
}

/* A frame of which no cache has a line. */
u32 frame_take(void)
{
    u32 frame;

    if (next_number < FRAMES) {
        frame = frame_at(next_number);
        next_number += options.core_count;
        return frame;
    }
    if (!free_count) {
        if (!retired_count)
            stop("no frame is left to which a page could move: less memory= "
                 "leaves more");
        flush_caches();
        free_count = retired_count;
    }
    frame = retired[--free_count];
    retired[free_count] = retired[--retired_count];
    return frame;
}

/* The frame's page has moved. Lines of a frame that many cores have read may be in
 * any cache: it is not used again. */
void frame_retire(u32 frame, bool own_caches_only)
{
    if (own_caches_only && retired_count < FRAMES)
        retired[retired_count++] = frame;
}

/* Whole lines through the write-combine buffer; each leaves it when it is
 * full, and the core waits for it. */
void frame_copy(const void *from, u32 frame)
{
    memcpy((void *)show(window_to, frame), from, PAGE);
    counts.copies++;
}

const void *frame_look(u32 frame)
{
    scc_cl1invmb();
    return (const void *)show(window_from, frame);
}
