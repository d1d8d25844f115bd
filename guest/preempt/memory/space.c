/*
 * space.c: address spaces.
 *
 * Every page directory holds the kernel's entries; what lies below
 * KERNEL_BASE belongs to the process. Pages of its data and its stack
 * appear, full of zeros, when they are touched first. After fork() writable
 * pages are read-only in both processes and marked PTE_SHARED; the first
 * write to one gets a copy.
 */
#include "kernel.h"

extern uint32_t apic_table[1024];

#define ENTRIES 1024
#define FRAME_OF(entry) ((entry) & ~(uint32_t)(PAGE - 1))
#define FIRST_KERNEL (KERNEL_BASE >> 22)

void space_init(void)
{
    uint32_t table = frame_at(apic_table);

    apic_table[APIC_BASE >> 12 & 1023] =
        APIC_BASE | PTE_PRESENT | PTE_WRITABLE | PTE_UNCACHED;
    kernel_directory[APIC_BASE >> 22] = table | PTE_PRESENT | PTE_WRITABLE;
    /* The boot's view of memory at address 0 ends. */
    fill(kernel_directory, 0, 4 * sizeof(uint32_t));
    space_use(kernel_directory);
}

void space_use(uint32_t *directory)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(frame_at(directory)) : "memory");
}

uint32_t *space_new(void)
{
    uint32_t frame = frame_new(), n;
    uint32_t *directory = address_of(frame);

    if (!frame)
        return 0;
    for (n = FIRST_KERNEL; n < ENTRIES; n++)
        directory[n] = kernel_directory[n];
    return directory;
}

/* The entry of an address below KERNEL_BASE; its table is made if asked for. */
static uint32_t *entry_of(uint32_t *directory, uint32_t address, int make)
{
    uint32_t *slot = &directory[address >> 22];
    uint32_t *table;

    if (!(*slot & PTE_PRESENT)) {
        uint32_t frame = make ? frame_new() : 0;

        if (!frame)
            return 0;
        *slot = frame | PTE_PRESENT | PTE_WRITABLE | PTE_USER;
    }
    table = address_of(FRAME_OF(*slot));
    return &table[address >> 12 & 1023];
}

int space_put(uint32_t *directory, uint32_t address, uint32_t frame,
              uint32_t bits)
{
    uint32_t *entry = entry_of(directory, address, 1);

    if (!entry)
        return NO_MEMORY;
    *entry = frame | bits | PTE_PRESENT | PTE_USER;
    return 0;
}

static int share_table(uint32_t *to, uint32_t *table, uint32_t base)
{
    uint32_t n;

    for (n = 0; n < ENTRIES; n++) {
        uint32_t entry = table[n];

        if (!(entry & PTE_PRESENT))
            continue;
        if (entry & PTE_WRITABLE)
            entry = (entry & ~(uint32_t)PTE_WRITABLE) | PTE_SHARED;
        table[n] = entry;
        if (space_put(to, base + n * PAGE, FRAME_OF(entry), entry & 0xFFF))
            return NO_MEMORY;
        frame_share(FRAME_OF(entry));
    }
    return 0;
}

/* For fork(): the same frames, nothing writable; 0 without memory. */
uint32_t *space_copy(uint32_t *from)
{
    uint32_t *to = space_new();
    uint32_t n;

    for (n = 0; to && n < FIRST_KERNEL; n++) {
        if (!(from[n] & PTE_PRESENT))
            continue;
        if (share_table(to, address_of(FRAME_OF(from[n])), n << 22)) {
            space_drop(to);
            to = 0;
        }
    }
    space_use(from); /* the TLB still knows the writable pages */
    return to;
}

void space_drop(uint32_t *directory)
{
    uint32_t n, m;

    for (n = 0; n < FIRST_KERNEL; n++) {
        uint32_t *table = address_of(FRAME_OF(directory[n]));

        if (!(directory[n] & PTE_PRESENT))
            continue;
        for (m = 0; m < ENTRIES; m++)
            if (table[m] & PTE_PRESENT)
                frame_drop(FRAME_OF(table[m]));
        frame_drop(FRAME_OF(directory[n]));
    }
    frame_drop(frame_at(directory));
}

/* A write to a shared page: the last user keeps it, others get a copy. */
static int unshare(uint32_t *entry)
{
    uint32_t old = FRAME_OF(*entry), frame = old;

    if (frame_is_shared(old)) {
        frame = frame_new();
        if (!frame)
            return NO_MEMORY;
        copy(address_of(frame), address_of(old), PAGE);
        frame_drop(old);
    }
    *entry = frame | PTE_PRESENT | PTE_WRITABLE | PTE_USER;
    return 0;
}

static int may_appear(const struct process *process, uint32_t address)
{
    if (address >= USER_BASE && address < process->data_end)
        return 1;
    return address >= STACK_TOP - STACK_BYTES && address < STACK_TOP;
}

/* Makes the page of an address accessible if the process has it: 0 if done. */
int space_touch(struct process *process, uint32_t address, int write)
{
    uint32_t *entry, frame;
    int result = 0;

    if (address >= KERNEL_BASE)
        return BAD_ADDRESS;
    entry = entry_of(process->directory, address, 0);
    if (!entry || !(*entry & PTE_PRESENT)) {
        if (!may_appear(process, address))
            return BAD_ADDRESS;
        frame = frame_new();
        if (!frame)
            return NO_MEMORY;
        return space_put(process->directory, address & -PAGE, frame,
                         PTE_WRITABLE);
    }
    if (write && !(*entry & PTE_WRITABLE))
        result = *entry & PTE_SHARED ? unshare(entry) : BAD_ADDRESS;
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
    return result;
}

/* Before the kernel uses a user's pointer: every page is there. */
int user_range(uint32_t address, uint32_t bytes, int write)
{
    uint32_t end = address + bytes, page;

    if (end < address || end > KERNEL_BASE)
        return BAD_ADDRESS;
    for (page = address & -PAGE; page < end; page += PAGE)
        if (space_touch(current, page, write))
            return BAD_ADDRESS;
    return 0;
}

/* A string that ends within a page's length. */
int user_string(uint32_t address)
{
    uint32_t n;

    for (n = 0; n < PAGE; n++) {
        if (user_range(address + n, 1, 0))
            return BAD_ADDRESS;
        if (*(const char *)(address + n) == 0)
            return 0;
    }
    return BAD_ADDRESS;
}
