/*
 * frames.c: physical memory as this server sees it. A physical address of
 * private memory is a page of this server's from FRAMES on; pages of devices
 * lie from DEVICES on.
 */
#include "abi/abi.h"
#include "l4/sigma0.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "posix/posix.h"

#define CHUNK 16u               /* own pages that are taken at once */
#define LEFT_FOR_OTHERS 256u    /* pages */
#define SHARED_BASE 0x80000000u /* from here on no address is private memory */
#define RANGES_MAX 64u

static u8 here[FRAMES_BYTES / PAGE_SIZE / 8];
static u32 own_from, own_to; /* of private memory: this server's alone */
static u32 next_device = DEVICES;
static struct range {
    u32 start, end, physical, bits;
} ranges[RANGES_MAX]; /* of devices */
static u32 range_count;

/* The rest of private memory is the program's, as far as this server's share
 * of kernel memory suffices to map it. */
void vm_reserve(void)
{
    struct l4_message free = {L4_TAG(L4_FACTORY_FREE, 0), {0, 0, 0}, 0};
    struct l4_message m = {
        L4_TAG(SIGMA0_RESERVE, 2), {LEFT_FOR_OTHERS, 0, 0}, 0};

    l4_call(L4_SLOT_FACTORY, &free);
    m.words[1] = free.words[0] / KERNEL_BYTES_FRAME;
    if (l4_ask(L4_SLOT_SIGMA0, &m))
        panic("there is no memory for the program");
    own_from = m.words[1];
    own_to = own_from + m.words[2];
    if (own_to > FRAMES_BYTES)
        own_to = FRAMES_BYTES;
    if (own_from >= own_to)
        panic("the program's memory would lie above %u MB: say more behind "
              "kernel in the plan",
              FRAMES_BYTES >> 20);
    frames_init(own_from, own_to);
}

/* Pages of the image are here, and their numbers lie behind all others. */
u32 vm_kernel_physical(const void *address)
{
    return (u32)address - FRAMES;
}

static bool is_here(u32 physical)
{
    u32 page = physical / PAGE_SIZE;

    return physical >= FRAMES_BYTES || here[page / 8] & 1u << page % 8;
}

static void take(u32 from, u32 pages, u32 bits)
{
    s32 result = take_pages_at(from, FRAMES + from, pages, bits);

    if (result)
        panic("no page for physical %08x: error %d; if the program is large, "
              "say more behind kernel in the plan",
              from, result);
    for (u32 page = from / PAGE_SIZE; pages--; page++)
        here[page / 8] |= (u8)(1u << page % 8);
}

/* The page of this physical address, of the own ones with those around. */
void frame_bring(u32 physical)
{
    u32 from = physical & ~(CHUNK * PAGE_SIZE - 1);
    u32 to = from + CHUNK * PAGE_SIZE;

    if (is_here(physical))
        return;
    if (physical < own_from) {
        take(PAGE_DOWN(physical), 1, 0);
        return;
    }
    from = from < own_from ? own_from : from;
    to = to > own_to ? own_to : to;
    take(from, (to - from) / PAGE_SIZE, 2);
}

/* All pages of a range; what is not own is taken in few steps. */
void frames_bring(u32 from, u32 end)
{
    u32 pages;

    for (; from < end; from += pages * PAGE_SIZE) {
        pages = (end - from) / PAGE_SIZE;
        if (pages > L4_PAGES_MAX)
            pages = L4_PAGES_MAX;
        if (from >= own_from || is_here(from)) {
            frame_bring(from);
            pages = 1;
        } else {
            take(from, pages, 0);
        }
    }
}

static s32 show_device(const struct range *range, u32 address)
{
    u32 physical = range->physical + (address - range->start);

    return physical < SHARED_BASE
               ? take_pages_at(physical, address, 1, range->bits)
               : chip_map(physical, range->bits, address);
}

static u32 map_device(u32 physical, u32 pages, u32 bits)
{
    struct range range = {next_device, next_device + pages * PAGE_SIZE,
                          physical, bits | 2};

    if (pages > (DEVICES_END - next_device) / PAGE_SIZE ||
        range_count == RANGES_MAX)
        panic("no addresses for %u pages at %08x", pages, physical);
    ranges[range_count++] = range;
    next_device = range.end;
    for (u32 at = range.start; at < range.end; at += PAGE_SIZE) {
        s32 result = show_device(&range, at);

        if (result)
            panic("no page for physical %08x: error %d",
                  physical + (at - range.start), result);
    }
    return range.start;
}

/* A page that this server, a copy of another one, has not seen yet; false if
 * none belongs to the address. */
bool frames_again(u32 address)
{
    u32 page = PAGE_DOWN(address);

    if (address - FRAMES < own_to && !is_here(page - FRAMES)) {
        frame_bring(page - FRAMES);
        return true;
    }
    for (u32 n = 0; n < range_count; n++)
        if (page >= ranges[n].start && page < ranges[n].end)
            return !show_device(&ranges[n], page);
    return false;
}

/* This server is a copy of another one, and has no page yet. */
void frames_copied(void)
{
    memset(here, 0, sizeof(here));
}

/* Registers have no page; see read_register. */
u32 vm_map_kernel(u32 physical, u32 length, u32 bits)
{
    u32 first = PAGE_DOWN(physical), end = PAGE_UP(physical + length);

    if (bits == TYPE_UNCACHED)
        return physical;
    if (bits != TYPE_WRITE_BACK)
        return map_device(first, (end - first) / PAGE_SIZE, bits) +
               (physical - first);
    frames_bring(first, end);
    return FRAMES + physical;
}

u32 vm_new_stack(u32 size)
{
    u32 physical = frames_contiguous(size / PAGE_SIZE);

    if (!physical)
        return 0;
    frames_bring(physical, physical + size);
    return FRAMES + physical + size;
}
