/* Page frames of this core's private memory.
 *
 * The first frames handed out are zero: they lie in the kernel's .bss, which
 * the boot loader clears. That is a loader's duty: of an ELF file's segments
 * for what they have in memory beyond the file [tis-elf-1995, program header],
 * of other files by bss_end_addr [multiboot-0.6.96, 3.1.3]. Then new frames
 * come from a rising mark, so a core that uses little touches little; frames
 * given back are kept in a bitmap and used first. Only this core uses its
 * private memory: no lock.
 */
#include "abi/abi_file.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"

/* Enough for 2 GB: the LUT gives private memory at most 128 segments. */
#define FRAMES_MAX 0x80000u

/* As many as a small program of many cores takes, with its page tables. */
#define ZERO_FRAMES 32u

static OF_ALL_PROCESSES u8 zero_frames[ZERO_FRAMES][PAGE_SIZE]
    __attribute__((aligned(PAGE_SIZE)));
static OF_ALL_PROCESSES u32 zero_frames_used;
static OF_ALL_PROCESSES u8 given_back[FRAMES_MAX / 8];
static OF_ALL_PROCESSES u32 given_back_count;
/* No frame below it is given back. */
static OF_ALL_PROCESSES u32 search_from;
static OF_ALL_PROCESSES u32 first_frame, next_frame, end_frame;

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

/* The physical address of a frame and what it holds, or 0 when memory is
 * exhausted (frame 0 belongs to the loader and is never handed out). */
u32 frame_alloc(enum frame_content *content)
{
    if (given_back_count > 0) {
        *content = FRAME_USED;
        return take_given_back();
    }
    if (zero_frames_used < ZERO_FRAMES) {
        *content = FRAME_ZERO;
        return vm_kernel_physical(zero_frames[zero_frames_used++]);
    }
    *content = FRAME_FRESH;
    if (next_frame == end_frame)
        return 0;
    return next_frame++ << PAGE_SHIFT;
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
    return end_frame - first_frame + ZERO_FRAMES;
}

u32 frames_available(void)
{
    return end_frame - next_frame + given_back_count + ZERO_FRAMES -
           zero_frames_used;
}

/* As many as were ever in use at once, at most: those given back are used
 * before the mark rises. */
u32 frames_most(void)
{
    return next_frame - first_frame + zero_frames_used;
}
