/*
 * frames.c: page frames: where each page of the guest lies at first, and this
 * core's share of those to which pages move.
 *
 * A frame that has been used through caches may still have lines there when its
 * page has moved on. It is used again after a flush: of this core's caches, if no
 * other core has cached it, or else of all cores'. Who moves a page takes a frame
 * and retires one, so each core always has as many as at first.
 */
#include "coherence/coherence.h"
#include "scc/cache.h"
#include "scc/memory_map.h"
#include "common/processor.h"

#define FRAMES ((PART - KEPT) / PAGE * CONTROLLERS)

struct list {
    u32 count, frames[FRAMES];
};

extern u32 visor_tables[VISOR_TABLES * 1024];
static u32 window_to, window_from; /* addresses of pages of the device window */
static u32 share, begun; /* frames of this core, and those used so far */
static struct list unused, cached_here, cached_anywhere;
static u32 asked; /* the first of `cached_anywhere`: all flush for them */

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
    share = (FRAMES - options.memory / PAGE) / options.core_count;
    if (options.frames && options.frames < share)
        share = options.frames;
    window_to = device_page(SCC_SHARED_BASE + KEPT);
    window_from = device_page(SCC_SHARED_BASE + KEPT + PAGE);
}

static u32 show(u32 window, u32 frame)
{
    visor_tables[(window - VISOR_BASE) / PAGE] =
        frame | PTE_PRESENT | PTE_WRITE | PTE_MPBT;
    invalidate_page(window);
    return window;
}

static void add(struct list *list, u32 frame)
{
    list->frames[list->count++] = frame;
}

static void move_first(struct list *from, u32 count)
{
    for (u32 n = 0; n < count; n++)
        add(&unused, from->frames[n]);
    from->count -= count;
    for (u32 n = 0; n < from->count; n++)
        from->frames[n] = from->frames[count + n];
}

static void reuse(void)
{
    bool all = asked && flush_is_done();

    if (!cached_here.count && !all)
        return;
    flush_caches();
    move_first(&cached_here, cached_here.count);
    if (!all)
        return;
    move_first(&cached_anywhere, asked);
    asked = 0;
}

/* A frame of which no cache has a line; 0: all wait for other cores' flushes. */
u32 frame_take(void)
{
    if (begun < share)
        return frame_at(options.memory / PAGE + core_index +
                        options.core_count * begun++);
    if (!unused.count)
        reuse();
    return unused.count ? unused.frames[--unused.count] : 0;
}

static void ask_for_flushes(void)
{
    if (asked)
        return;
    asked = cached_anywhere.count;
    flush_ask();
}

/* For who may wait for other cores. */
u32 frame_await(void)
{
    u32 frame;

    while (!(frame = frame_take())) {
        ask_for_flushes();
        flush_await();
    }
    return frame;
}

/* The frame's page has moved. */
void frame_retire(u32 frame)
{
    add(&cached_here, frame);
}

/* And other cores have cached the frame too. They flush in time, since a core that
 * is asked for a page must not wait. */
void frame_retire_everywhere(u32 frame)
{
    add(&cached_anywhere, frame);
    if (cached_anywhere.count * 2 > share)
        ask_for_flushes();
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
