/* Page frames of this core's private memory.
 *
 * New frames come from a rising mark, so a core that uses little touches
 * little; frames given back are kept in a bitmap and used first. Only this
 * core uses its private memory: no lock.
 */
#include "defs.h"

/* Enough for 2 GB: the LUT gives private memory at most 128 segments. */
#define FRAMES_MAX 0x80000u

static u8 given_back[FRAMES_MAX / 8];
static u32 given_back_count;
static u32 search_from; /* no frame below it is given back */
static u32 first_frame, next_frame, end_frame;

void frames_init(u32 first, u32 end)
{
    first_frame = next_frame = PAGE_UP(first) >> PAGE_SHIFT;
    end_frame = end >> PAGE_SHIFT;
    if (end_frame > FRAMES_MAX)
        end_frame = FRAMES_MAX;
    search_from = end_frame;
}

static u32 take_given_back(void)
{
    u32 frame = search_from;

    while (!(given_back[frame / 8] & 1u << frame % 8))
        frame++;
    given_back[frame / 8] &= (u8) ~(1u << frame % 8);
    given_back_count--;
    search_from = frame + 1;
    return frame << PAGE_SHIFT;
}

/* The physical address of a frame, or 0 when memory is exhausted (frame 0
 * belongs to the loader and is never handed out). A fresh frame has never
 * been used: none of its lines is in a cache. */
u32 frame_alloc_page(bool *fresh)
{
    *fresh = given_back_count == 0;
    if (!*fresh)
        return take_given_back();
    if (next_frame == end_frame)
        return 0;
    return next_frame++ << PAGE_SHIFT;
}

u32 frame_alloc(void)
{
    bool fresh;

    return frame_alloc_page(&fresh);
}

u32 frames_contiguous(u32 count)
{
    u32 frame = next_frame;

    if (count > end_frame - next_frame)
        return 0;
    next_frame += count;
    return frame << PAGE_SHIFT;
}

void frame_free(u32 physical)
{
    u32 frame = physical >> PAGE_SHIFT;

    given_back[frame / 8] |= (u8)(1u << frame % 8);
    given_back_count++;
    if (frame < search_from)
        search_from = frame;
}

u32 frames_total(void)
{
    return end_frame - first_frame;
}

u32 frames_available(void)
{
    return end_frame - next_frame + given_back_count;
}
