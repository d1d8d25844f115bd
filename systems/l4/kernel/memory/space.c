/*
 * space.c: address spaces: page tables, and for each entry the node of the
 * page's tree. A table of nodes lies beside each page table.
 */
#include "kernel/kernel.h"
#include "common/processor.h"

s32 space_init(struct space *space, struct factory *payer)
{
    space->payer = payer;
    space->directory = pool_page(payer);
    space->nodes = pool_page(payer);
    if (!space->directory || !space->nodes) {
        if (space->directory)
            pool_page_back(payer, space->directory);
        return L4_NO_MEMORY;
    }
    memcpy(&space->directory[DIRECTORY_USER], &boot_directory[DIRECTORY_USER],
           (1024 - DIRECTORY_USER) * 4);
    return L4_OK;
}

static u32 *table_of(u32 directory_entry)
{
    return (u32 *)((directory_entry & -PAGE) -
                   pool_physical((void *)POOL_BASE) + POOL_BASE);
}

/* Null: there is no table. */
u32 *space_entry(struct space *space, u32 address)
{
    u32 entry = space->directory[address >> 22];

    if (!entry || address >= L4_USER_END)
        return NULL;
    return &table_of(entry)[address / PAGE % 1024];
}

struct page_node **space_node(struct space *space, u32 address)
{
    if (address >= L4_USER_END || !space->nodes[address >> 22])
        return NULL;
    return &space->nodes[address >> 22][address / PAGE % 1024];
}

/* Makes the tables for an address. */
s32 space_reach(struct space *space, u32 address)
{
    u32 index = address >> 22;
    u32 *table;
    struct page_node **nodes;

    if (address >= L4_USER_END)
        return L4_BAD_ARGUMENT;
    if (space->directory[index])
        return L4_OK;
    table = pool_page(space->payer);
    nodes = pool_page(space->payer);
    if (!table || !nodes) {
        if (table)
            pool_page_back(space->payer, table);
        return L4_NO_MEMORY;
    }
    space->nodes[index] = nodes;
    space->directory[index] =
        pool_physical(table) | PTE_PRESENT | PTE_WRITE | PTE_USER;
    return L4_OK;
}

/* A page of the kernel's that a program sees: no tree, nobody gives it on. */
s32 space_own_page(struct space *space, u32 address, const void *page, u32 bits)
{
    s32 result = space_reach(space, address);
    u32 *entry;

    if (result)
        return result;
    entry = space_entry(space, address);
    if (*entry)
        return L4_NO_ROOM;
    *entry = pool_physical(page) | PTE_PRESENT | PTE_USER | bits;
    return L4_OK;
}

void space_drop_entry(struct space *space, u32 address)
{
    u32 *entry = space_entry(space, address);

    if (!entry)
        return;
    *entry = 0;
    /* Another space's entries leave the TLB when CR3 is loaded. */
    if (current && current->task && &current->task->space == space)
        invalidate_page(address);
}

/* Unmaps everything from *at on and frees the tables, one pair of them at a
 * time; false: not yet all. */
bool space_free(struct space *space, u32 *at)
{
    for (; *at < L4_USER_END; *at = (*at & 0xFFC00000) + 0x400000) {
        u32 index = *at >> 22;

        if (!space->directory[index])
            continue;
        if (unmap_pages(space, index << 22, 1024, true) == AGAIN)
            return false;
        pool_page_back(space->payer, table_of(space->directory[index]));
        pool_page_back(space->payer, space->nodes[index]);
        space->directory[index] = 0;
        space->nodes[index] = NULL;
        return false;
    }
    return true;
}

/* The kernel's address of a page of registers. */
u32 device_page(u32 index, u32 physical)
{
    u32 address = DEVICE_BASE + index * PAGE;

    device_table[index] = physical | PTE_PRESENT | PTE_WRITE | PTE_UNCACHED;
    invalidate_page(address);
    return address;
}
