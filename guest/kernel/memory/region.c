/* The program's regions: a sorted array, searched by halving.
 *
 * A region says what may be at an address; pages appear at first touch
 * (fault.c). A page whose protection is taken away wholly keeps its frame in
 * an entry that is not present, so that its contents survive.
 */
#include "abi/abi.h"
#include "lib/string.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"

#define REGIONS_MAX 8192u
/* Entries that changes of protection leave to mappings: a program that has
 * used up the others can still map what it needs to go on. */
#define REGIONS_KEPT 128u

u32 heap_start;
static struct region regions[REGIONS_MAX];
static u32 region_count;

/* Index of the first region that ends above address. */
static u32 first_above(u32 address)
{
    u32 low = 0;
    u32 high = region_count;

    while (low < high) {
        u32 middle = (low + high) / 2;

        if (regions[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct region *region_find(u32 address)
{
    u32 n = first_above(address);

    if (n < region_count && regions[n].start <= address)
        return &regions[n];
    return NULL;
}

/* By their addresses; null behind the last one. */
const struct region *region_at(u32 index)
{
    return index < region_count ? &regions[index] : NULL;
}

bool region_free(u32 start, u32 end)
{
    u32 n = first_above(start);

    return n == region_count || regions[n].start >= end;
}

static s32 insert(u32 index, const struct region *region)
{
    if (region_count == REGIONS_MAX)
        return -ENOMEM;
    memmove(&regions[index + 1], &regions[index],
            (region_count - index) * sizeof(*regions));
    regions[index] = *region;
    region_count++;
    return 0;
}

static void delete(u32 index)
{
    region_count--;
    memmove(&regions[index], &regions[index + 1],
            (region_count - index) * sizeof(*regions));
}

static bool joins(const struct region *low, const struct region *high)
{
    return low->end == high->start && low->kind == REGION_ANONYMOUS &&
           high->kind == REGION_ANONYMOUS &&
           low->unpromised == high->unpromised &&
           low->protection == high->protection;
}

/* Adds a region to free addresses, one with its neighbours if alike. */
s32 region_add(const struct region *region)
{
    u32 n = first_above(region->start);

    if (region_count == REGIONS_MAX)
        return -ENOMEM;
    region_count_in(region);
    if (n > 0 && joins(&regions[n - 1], region)) {
        regions[n - 1].end = region->end;
        if (n < region_count && joins(&regions[n - 1], &regions[n])) {
            regions[n - 1].end = regions[n].end;
            delete(n);
        }
        return 0;
    }
    if (n < region_count && joins(region, &regions[n])) {
        regions[n].start = region->start;
        return 0;
    }
    return insert(n, region);
}

/* Makes address a border between two regions if it lies inside one. */
static s32 split(u32 address, u32 most)
{
    u32 n = first_above(address);
    struct region upper;
    s32 error;

    if (n == region_count || regions[n].start >= address)
        return 0;
    if (region_count >= most)
        return -ENOMEM;
    upper = regions[n];
    upper.physical += address - upper.start;
    upper.start = address;
    error = insert(n + 1, &upper);
    if (!error)
        regions[n].end = address;
    return error;
}

/* Calls back for each page that has an entry; skips absent tables. */
static void each_entry(u32 start, u32 end, u32 value,
                       void (*act)(u32 *entry, u32 value))
{
    u32 address = start;

    while (address < end) {
        u32 *entry = vm_entry(address);

        if (!entry) {
            u32 next = (address | 0x3FFFFF) + 1;

            address = next < end ? next : end;
            continue;
        }
        if (*entry) {
            act(entry, value);
            invalidate_page(address);
        }
        address += PAGE_SIZE;
    }
}

static void drop_page(u32 *entry, u32 value)
{
    if (*entry & PTE_OWNED)
        frame_free(*entry & PTE_FRAME);
    *entry = value;
}

s32 region_remove(u32 start, u32 end)
{
    s32 error = split(start, REGIONS_MAX);
    u32 n;

    if (!error)
        error = split(end, REGIONS_MAX);
    if (error)
        return error;
    n = first_above(start);
    while (n < region_count && regions[n].end <= end) {
        region_count_out(&regions[n]);
        delete(n);
    }
    each_entry(start, end, 0, drop_page);
    return 0;
}

static void discard_page(u32 *entry, u32 value)
{
    /* A page of the program's image would not come back. */
    if (*entry & PTE_OWNED)
        drop_page(entry, value);
}

/* The range's own pages are zero at the next touch. */
void region_discard(u32 start, u32 end)
{
    each_entry(start, end, 0, discard_page);
}

static void protect_page(u32 *entry, u32 protection)
{
    *entry &= ~(u32)(PTE_PRESENT | PTE_WRITE);
    if (protection)
        *entry |= PTE_PRESENT;
    if (protection & PROT_WRITE)
        *entry |= PTE_WRITE;
}

/* Regions alike become one again: programs that protect page by page would
 * fill the table. */
static void join_within(u32 start, u32 end)
{
    u32 last = first_above(start), next;

    if (last > 0)
        last--;
    for (next = last + 1; next < region_count && regions[next - 1].start < end;
         next++) {
        if (joins(&regions[last], &regions[next]))
            regions[last].end = regions[next].end;
        else if (++last != next)
            regions[last] = regions[next];
    }
    if (next <= last + 1)
        return;
    memmove(&regions[last + 1], &regions[next],
            (region_count - next) * sizeof(*regions));
    region_count -= next - last - 1;
}

/* Every address of the range must belong to a region. */
s32 region_protect(u32 start, u32 end, u32 protection)
{
    u32 covered = start, first = first_above(start);
    u32 most = REGIONS_MAX - REGIONS_KEPT, n;
    s32 error;

    for (n = first; covered < end; n++) {
        if (n == region_count || regions[n].start > covered)
            return -ENOMEM;
        covered = regions[n].end;
    }
    if (n - first > 2) /* afterwards there are fewer */
        most = REGIONS_MAX;
    error = split(start, most);
    if (!error)
        error = split(end, most);
    if (error)
        return error;
    for (n = first_above(start); n < region_count && regions[n].start < end;
         n++)
        regions[n].protection = protection;
    each_entry(start, end, protection, protect_page);
    join_within(start, end);
    return 0;
}

/* The highest free range of that length below MMAP_TOP, or 0. */
u32 region_gap(u32 length)
{
    u32 end = MMAP_TOP;
    u32 n = first_above(MMAP_TOP);

    if (n < region_count && regions[n].start < end)
        end = regions[n].start;
    for (;; n--) {
        /* regions[n - 1] is the next region below end. */
        u32 floor = n > 0 ? regions[n - 1].end : USER_START;

        if (end >= floor && end - floor >= length && end - length >= floor)
            return end - length;
        if (n == 0)
            return 0;
        if (regions[n - 1].start < end)
            end = regions[n - 1].start;
    }
}

/* Moves a range's pages to free addresses; the regions are the caller's. */
s32 region_move(u32 from, u32 to, u32 length)
{
    for (u32 offset = 0; offset < length; offset += PAGE_SIZE) {
        u32 *entry = vm_entry(from + offset);
        u32 value = entry ? *entry : 0;
        s32 error;

        if (!value)
            continue;
        error = vm_map(to + offset, value & PTE_FRAME, value & ~(u32)PTE_FRAME);
        if (error)
            return error;
        *entry = 0;
        invalidate_page(from + offset);
    }
    return 0;
}
