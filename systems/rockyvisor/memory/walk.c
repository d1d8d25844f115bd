/*
 * walk.c: the guest's own page tables, read as the processor reads them
 * [intel-sdm], with accessed and dirty bits.
 */
#include "common/processor.h"
#include "memory/tables.h"

#define LARGE 0x80u
#define CR4_PSE 0x10u
#define ERROR_PRESENT 1u
#define ERROR_WRITE 2u
#define ERROR_USER 4u

/* One entry; its bits are set if they are not. Another processor may change the
 * entry while this core waits for the page. */
static u32 entry_at(u32 page, u32 index, u32 set)
{
    u32 *table = page_walk(page), entry = table[index];

    if ((entry & PTE_PRESENT) && (entry & set) != set) {
        table = page_hold(page, true);
        entry = table[index];
        if (entry & PTE_PRESENT)
            table[index] = entry |= set;
    }
    return entry;
}

static bool may(const struct vcpu *v, u32 rights, u32 error)
{
    if ((error & ERROR_USER) && !(rights & PTE_USER))
        return false;
    return !(error & ERROR_WRITE) || (rights & PTE_WRITE) ||
           (!(error & ERROR_USER) && !(v->cr0 & CR0_WP));
}

/* False: the guest's own fault, and `error` is what it gets. */
bool walk(struct vcpu *v, u32 address, u32 *error, struct walked *w)
{
    u32 index = address >> 22, rights, set;

    if (!(v->cr0 & CR0_PG)) {
        *w = (struct walked){.directory = FLAT_ROOT,
                             .table = FLAT_PAGE(index),
                             .directory_entry =
                                 PTE_PRESENT | PTE_WRITE | PTE_USER,
                             .entry = (address & -PAGE) | PTE_PRESENT |
                                      PTE_WRITE | PTE_USER | PTE_DIRTY};
        return true;
    }
    *error &= ~ERROR_PRESENT;
    w->directory = v->cr3 / PAGE;
    if (!is_guest_memory(v->cr3))
        give_up("the guest's CR3 is beyond its memory", v->cr3);
    w->directory_entry = entry_at(w->directory, index, 0);
    if (!(w->directory_entry & PTE_PRESENT))
        return false;
    if ((w->directory_entry & LARGE) && (v->cr4 & CR4_PSE))
        give_up("the guest has a page of 4 MB, which CPUID does not offer, at",
                address);
    if (!is_guest_memory(w->directory_entry))
        return false;
    w->table = w->directory_entry / PAGE;
    index = address >> 12 & 1023;
    w->entry = entry_at(w->table, index, 0);
    if (!(w->entry & PTE_PRESENT))
        return false;
    rights = w->directory_entry & w->entry;
    *error |= ERROR_PRESENT;
    if (!may(v, rights, *error))
        return false;
    set = *error & ERROR_WRITE ? PTE_ACCESSED | PTE_DIRTY : PTE_ACCESSED;
    if ((w->directory_entry & PTE_ACCESSED) && (w->entry & set) == set)
        return true;
    w->directory_entry = entry_at(w->directory, address >> 22, PTE_ACCESSED);
    w->entry = entry_at(w->table, index, set);
    rights = w->directory_entry & w->entry;
    if (!(rights & PTE_PRESENT))
        *error &= ~ERROR_PRESENT;
    return (rights & PTE_PRESENT) && may(v, rights, *error);
}
