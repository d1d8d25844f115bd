/*
 * vm.c: the program's page tables, as our ordinary kernel's rooms see them,
 * and what of them is mapped.
 *
 * An entry says what shall be at an address; the page appears in the program
 * or in this server, at the same address, at the first fault of either. A
 * physical address of private memory is a page of this server's from FRAMES
 * on, and both have it from there.
 */
#include "abi/abi.h"
#include "l4/sigma0.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"
#include "posix/posix.h"

#define IN_PROGRAM 1
#define IN_SERVER 2
#define IN_NEITHER 4         /* io gives no such page */
#define CHUNK 16u            /* own pages that are taken at once */
#define LEFT_FOR_OTHERS 256u /* pages */
/* For a page that program and server have: three nodes and parts of tables. */
#define KERNEL_BYTES 256u
#define SHARED_BASE 0x80000000u /* from here on no address is private memory */

struct table {
    u32 entries[1024];
    u8 mapped[1024];
};

static struct table *tables[USER_END >> 22];
static u8 here[FRAMES_BYTES / PAGE_SIZE / 8];
static u32 own_from, own_to; /* of private memory: this server's alone */
static u32 next_device = DEVICES;

/* The rest of private memory is the program's, as far as this server's share
 * of kernel memory suffices to map it. */
void vm_reserve(void)
{
    struct l4_message free = {L4_TAG(L4_FACTORY_FREE, 0), {0, 0, 0}, 0};
    struct l4_message m = {
        L4_TAG(SIGMA0_RESERVE, 2), {LEFT_FOR_OTHERS, 0, 0}, 0};

    l4_call(L4_SLOT_FACTORY, &free);
    m.words[1] = free.words[0] / KERNEL_BYTES;
    if (l4_ask(L4_SLOT_SIGMA0, &m))
        panic("there is no memory for the program");
    own_from = m.words[1];
    own_to = own_from + m.words[2];
    if (own_to > FRAMES_BYTES)
        own_to = FRAMES_BYTES;
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
static void bring(u32 physical)
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
static void bring_range(u32 from, u32 end)
{
    u32 pages;

    for (; from < end; from += pages * PAGE_SIZE) {
        pages = (end - from) / PAGE_SIZE;
        if (pages > L4_PAGES_MAX)
            pages = L4_PAGES_MAX;
        if (from >= own_from || is_here(from)) {
            bring(from);
            pages = 1;
        } else {
            take(from, pages, 0);
        }
    }
}

static struct table *table_of(u32 address)
{
    return address < USER_END ? tables[address >> 22] : NULL;
}

u32 *vm_entry(u32 address)
{
    struct table *table = table_of(address);

    return table ? &table->entries[address >> PAGE_SHIFT & 1023] : NULL;
}

static s32 add_table(u32 address)
{
    u32 frames = PAGE_UP(sizeof(struct table)) / PAGE_SIZE;
    u32 physical = frames_contiguous(frames);
    struct table *table = (struct table *)(FRAMES + physical);

    if (!physical)
        return -ENOMEM;
    bring_range(physical, physical + frames * PAGE_SIZE);
    memset(table, 0, sizeof(*table));
    tables[address >> 22] = table;
    return 0;
}

s32 vm_map(u32 address, u32 physical, u32 bits)
{
    s32 error = table_of(address) ? 0 : add_table(address);

    if (error)
        return error;
    *vm_entry(address) = (physical & PTE_FRAME) | bits;
    invalidate_page(address);
    return 0;
}

/* The entry has changed: what was there before is nowhere mapped any more. */
void invalidate_page(u32 address)
{
    struct table *table = table_of(address);
    u32 page = PAGE_DOWN(address);
    u8 *mapped = table ? &table->mapped[page >> PAGE_SHIFT & 1023] : NULL;

    if (!mapped || !*mapped)
        return;
    if (*mapped & IN_PROGRAM)
        l4_do(SLOT_PROGRAM, L4_TASK_UNMAP, page, 1, 1);
    if (*mapped & IN_SERVER)
        l4_do(L4_SLOT_TASK, L4_TASK_UNMAP, page, 1, 1);
    *mapped = 0;
}

bool vm_present(u32 address, bool write)
{
    u32 *entry = vm_entry(address);
    u32 wanted = PTE_PRESENT | PTE_USER | (write ? PTE_WRITE : 0);

    return entry && (*entry & wanted) == wanted;
}

u32 vm_physical(u32 address)
{
    return (*vm_entry(address) & PTE_FRAME) | address % PAGE_SIZE;
}

/* A page of a device goes through io: it is granted on, and not kept. */
static s32 show_device(u32 task, u32 page, u32 entry)
{
    u32 bits = (entry & TYPE_MASK) | (entry & PTE_WRITE);
    u32 write = entry & PTE_WRITE ? L4_ITEM_WRITE : 0;
    s32 result;

    if (task == L4_SLOT_TASK)
        return chip_map(entry & PTE_FRAME, bits, page);
    result = chip_map(entry & PTE_FRAME, bits, TRANSIT);
    if (result)
        return result;
    return l4_do(task, L4_TASK_MAP, TRANSIT | write | L4_ITEM_GRANT, page, 1);
}

/* Whether the page may be written from now on. Who maps a file wants to know
 * which pages were: those become writable at the first write. */
static bool give_write(u32 page, bool write)
{
    u32 *entry = vm_entry(page);

    if (!(*entry & PTE_WRITE))
        return false;
    if (shared_overlaps(page, page + PAGE_SIZE)) {
        if (!write)
            return false;
        *entry |= PTE_DIRTY;
    }
    return true;
}

/* The page whose entry is present appears in the program's task, or in this
 * server's. L4_NO_RIGHT: io gives no such page. */
s32 vm_show(u32 task, u32 address, bool write)
{
    struct table *table = table_of(address);
    u32 page = PAGE_DOWN(address), entry = *vm_entry(address);
    u32 bits = give_write(page, write) ? L4_ITEM_WRITE : 0;
    u8 *mapped = &table->mapped[page >> PAGE_SHIFT & 1023];
    struct region *region;
    s32 result;

    if (*mapped & IN_NEITHER)
        return L4_NO_RIGHT;
    region = region_find(address);
    if (region && region->kind != REGION_ANONYMOUS &&
        region->kind != REGION_OBJECT) {
        result = show_device(task, page, entry);
        if (result == L4_NO_RIGHT)
            *mapped |= IN_NEITHER;
    } else {
        bring(entry & PTE_FRAME);
        result = l4_do(task, L4_TASK_MAP, (FRAMES + (entry & PTE_FRAME)) | bits,
                       page, 1);
    }
    if (!result)
        *mapped |= task == L4_SLOT_TASK ? IN_SERVER : IN_PROGRAM;
    return result;
}

static u32 map_device(u32 physical, u32 pages, u32 bits)
{
    u32 start = next_device;

    if (pages > (DEVICES_END - start) / PAGE_SIZE)
        panic("no addresses for %u pages at %08x", pages, physical);
    next_device += pages * PAGE_SIZE;
    for (u32 n = 0; n < pages; n++) {
        u32 at = physical + n * PAGE_SIZE, to = start + n * PAGE_SIZE;
        s32 result = physical < SHARED_BASE ? take_pages_at(at, to, 1, bits | 2)
                                            : chip_map(at, bits | 2, to);

        if (result)
            panic("no page for physical %08x: error %d", at, result);
    }
    return start;
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
    bring_range(first, end);
    return FRAMES + physical;
}

u32 vm_new_stack(u32 size)
{
    u32 physical = frames_contiguous(size / PAGE_SIZE);

    if (!physical)
        return 0;
    bring_range(physical, physical + size);
    return FRAMES + physical + size;
}

void vm_clear_page(u32 address)
{
    u32 frame = *vm_entry(address) & PTE_FRAME;

    bring(frame);
    memset((void *)(FRAMES + frame), 0, PAGE_SIZE);
}

void vm_clear_fresh_page(u32 address)
{
    vm_clear_page(address);
}
