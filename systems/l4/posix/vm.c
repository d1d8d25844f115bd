/*
 * vm.c: the program's page tables, as our ordinary kernel's rooms see them,
 * and what of them is mapped.
 *
 * An entry says what shall be at an address; the page appears in the program
 * or in this server, at the same address, at the first fault of either. Both
 * have it from where this server has its frame (frames.c).
 */
#include "abi/abi.h"
#include "lib/string.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"
#include "posix/posix.h"

#define IN_PROGRAM 1
#define IN_SERVER 2
#define IN_NEITHER 4 /* io gives no such page */

#define ENTRIES 1024u

/* Each part in a page of its own, since pages come one by one. */
static struct table {
    u32 *entries;
    u8 *mapped;
} tables[USER_END >> 22];

static struct table *table_of(u32 address)
{
    struct table *table = &tables[address >> 22];

    return address < USER_END && table->entries ? table : NULL;
}

u32 *vm_entry(u32 address)
{
    struct table *table = table_of(address);

    return table ? &table->entries[address >> PAGE_SHIFT & 1023] : NULL;
}

/* A frame of zeros, where this server has it; or null. */
static void *new_page(void)
{
    enum frame_content content;
    u32 frame = frame_alloc(&content);
    void *page = (void *)(FRAMES + frame);

    if (!frame)
        return NULL;
    frame_bring(frame);
    memset(page, 0, PAGE_SIZE);
    return page;
}

static void free_page(const void *page)
{
    frame_free((u32)page - FRAMES);
}

static s32 add_table(u32 address)
{
    struct table *table = &tables[address >> 22];

    table->entries = new_page();
    table->mapped = table->entries ? new_page() : NULL;
    if (table->mapped)
        return 0;
    if (table->entries)
        free_page(table->entries);
    table->entries = NULL;
    return -ENOMEM;
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
        frame_bring(entry & PTE_FRAME);
        result = l4_do(task, L4_TASK_MAP, (FRAMES + (entry & PTE_FRAME)) | bits,
                       page, 1);
    }
    if (!result)
        *mapped |= task == L4_SLOT_TASK ? IN_SERVER : IN_PROGRAM;
    return result;
}

void vm_clear_page(u32 address)
{
    u32 frame = *vm_entry(address) & PTE_FRAME;

    frame_bring(frame);
    memset((void *)(FRAMES + frame), 0, PAGE_SIZE);
}

void vm_clear_fresh_page(u32 address)
{
    vm_clear_page(address);
}

/* How many frames a copy of the program's memory takes. */
u32 vm_frames(void)
{
    u32 count = 0;

    for (u32 n = 0; n < COUNT(tables); n++) {
        if (!tables[n].entries)
            continue;
        count += 2;
        for (u32 k = 0; k < ENTRIES; k++)
            count += (tables[n].entries[k] & PTE_OWNED) != 0;
    }
    return count;
}

/* A page of a process whose memory is copied is seen at the address of a page
 * that is on its way, so it costs no memory of the microkernel's for long. */
static s32 copy_frame(u32 to, u32 from)
{
    const void *seen = (const void *)(FRAMES + from);

    if (from < FRAMES_BYTES) {
        if (take_pages_at(from, TRANSIT, 1, 0))
            return -ENOMEM;
        seen = (const void *)TRANSIT;
    }
    frame_bring(to);
    memcpy((void *)(FRAMES + to), seen, PAGE_SIZE);
    return 0;
}

/* Pages of devices and of the program's image are the same ones. An object's
 * own region has its page, which appears at the other addresses once more. */
static s32 copy_entry(u32 address, u32 entry)
{
    const struct region *region = region_find(address);
    enum frame_content content;
    u32 frame;

    if (!(entry & PTE_OWNED)) {
        if (!region || region->kind != REGION_OBJECT)
            *vm_entry(address) = entry;
        return 0;
    }
    frame = frame_alloc(&content);
    if (!frame)
        return -ENOMEM;
    *vm_entry(address) = frame | (entry & ~(u32)(PTE_FRAME | PTE_DIRTY));
    return copy_frame(frame, entry & PTE_FRAME);
}

static s32 copy_table(u32 address, const struct table *from)
{
    s32 error = add_table(address);

    frame_bring((u32)from->entries - FRAMES);
    for (u32 n = 0; n < ENTRIES && !error; n++)
        if (from->entries[n])
            error = copy_entry(address + n * PAGE_SIZE, from->entries[n]);
    return error;
}

/* This process began as a copy of another one, whose tables these are: from now
 * on it has its own, and its own memory. */
s32 vm_copy(void)
{
    static struct table old[COUNT(tables)];
    s32 error = 0;

    memcpy(old, tables, sizeof(old));
    memset(tables, 0, sizeof(tables));
    for (u32 n = 0; n < COUNT(old) && !error; n++)
        if (old[n].entries)
            error = copy_table(n << 22, &old[n]);
    l4_do(L4_SLOT_TASK, L4_TASK_UNMAP, TRANSIT, 1, 1);
    return error;
}

/* The process ends: its frames are there for others. */
void vm_leave(void)
{
    for (u32 n = 0; n < COUNT(tables); n++) {
        struct table *table = &tables[n];

        if (!table->entries)
            continue;
        for (u32 k = 0; k < ENTRIES; k++)
            if (table->entries[k] & PTE_OWNED)
                frame_free(table->entries[k] & PTE_FRAME);
        free_page(table->entries);
        free_page(table->mapped);
        table->entries = NULL;
    }
}
