/* Page tables.
 *
 * One address space: the program below USER_END, the kernel above. The last
 * entry of the page directory points to the directory itself, so all page
 * tables appear as one array at PAGE_TABLES and may lie in any frame.
 */
#include "abi/abi.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"

extern u32 boot_directory[];
extern char kernel_stack_guard[];

static u32 kmap_next = KMAP_BASE;

u32 vm_kernel_physical(const void *address)
{
    return (u32)address - KERNEL_BASE;
}

static u32 *entry_of(u32 address)
{
    return (u32 *)PAGE_TABLES + (address >> PAGE_SHIFT);
}

static u32 *directory_entry_of(u32 address)
{
    return (u32 *)PAGE_DIRECTORY + (address >> 22);
}

/* Takes away the identity mapping that entry.S jumped from, so that a null
 * pointer faults, and the page below the kernel stack. */
void vm_init(void)
{
    *directory_entry_of(0) = 0;
    *entry_of((u32)kernel_stack_guard) = 0;
    write_cr3(vm_kernel_physical(boot_directory)); /* empties the TLBs */
}

/* The page table entry of an address, or null where there is no table. */
u32 *vm_entry(u32 address)
{
    if (!(*directory_entry_of(address) & PTE_PRESENT))
        return NULL;
    return entry_of(address);
}

static s32 add_table(u32 address)
{
    enum frame_content content;
    u32 frame = frame_alloc(&content);
    u32 table = PAGE_DOWN(entry_of(address));

    if (!frame)
        return -ENOMEM;
    *directory_entry_of(address) = frame | PTE_PRESENT | PTE_WRITE | PTE_USER;
    invalidate_page(table);
    if (content != FRAME_ZERO)
        vm_clear_page(table);
    return 0;
}

/* Maps one page; bits are those of the entry, physical a frame address. */
s32 vm_map(u32 address, u32 physical, u32 bits)
{
    u32 *entry = entry_of(address);

    if (!(*directory_entry_of(address) & PTE_PRESENT)) {
        s32 error = add_table(address);

        if (error)
            return error;
    }
    *entry = (physical & PTE_FRAME) | bits;
    invalidate_page(address);
    return 0;
}

/* Maps a physical range into the kernel for good; returns where physical
 * (which need not be page-aligned) is seen. */
u32 vm_map_kernel(u32 physical, u32 length, u32 bits)
{
    u32 offset = physical - PAGE_DOWN(physical);
    u32 size = PAGE_UP(offset + length);
    u32 start = kmap_next;

    if (size > KMAP_END - kmap_next)
        panic("kernel window full: no place for %u bytes of physical %08x",
              length, physical);
    kmap_next += size;
    for (u32 n = 0; n < size; n += PAGE_SIZE)
        if (vm_map(start + n, PAGE_DOWN(physical) + n,
                   PTE_PRESENT | PTE_WRITE | bits))
            panic("no memory for page tables of the kernel");
    return start + offset;
}

/* A stack for the kernel above a page that is not mapped, so that an overflow
 * traps; where it begins (its highest address), or 0 without memory. */
u32 vm_new_stack(u32 size)
{
    u32 start = kmap_next + PAGE_SIZE;
    enum frame_content content;

    if (size + PAGE_SIZE > KMAP_END - kmap_next)
        return 0;
    kmap_next = start + size;
    for (u32 n = 0; n < size; n += PAGE_SIZE) {
        u32 frame = frame_alloc(&content);

        if (!frame || vm_map(start + n, frame, PTE_PRESENT | PTE_WRITE))
            return 0;
    }
    return kmap_next;
}

void vm_clear_page(u32 address)
{
    memset((void *)address, 0, PAGE_SIZE);
}

/* Clears a page that is mapped as message memory (MPBT): whole lines leave
 * through the write-combine buffer, which spares reading them first and
 * writing them back later. Only for a fresh frame: an old dirty line of the
 * frame in L1 or L2 could later overwrite the zeros. */
void vm_clear_fresh_page(u32 address)
{
    u32 words = PAGE_SIZE / 4;

    __asm__ volatile("rep stosl"
                     : "+D"(address), "+c"(words)
                     : "a"(0)
                     : "memory");
}
