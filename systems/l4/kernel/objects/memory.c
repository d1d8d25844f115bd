/*
 * memory.c: the right to map any memory of the core, which sigma0 has.
 *
 * Nobody maps what the kernel uses, the local APIC, or a page of
 * configuration registers: locks, interrupts and LUT entries lie in one page,
 * so who could write one could write all [intel-eas].
 */
#include "kernel/kernel.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

#define KEPT_MAX 8
#define CRB_END 0xF9000000u /* the own tile's registers are the last */

static struct {
    u32 from, to;
} kept[KEPT_MAX];
static u32 kept_count;

/* Not for programs. */
void memory_keep(u32 from, u32 to)
{
    if (kept_count == KEPT_MAX)
        give_up("too many ranges are kept", from);
    kept[kept_count].from = from;
    kept[kept_count++].to = to;
}

bool memory_is_kernels(u32 physical)
{
    if (physical >= SCC_CRB_BASE && physical < CRB_END)
        return true;
    for (u32 n = 0; n < kept_count; n++)
        if (physical >= kept[n].from && physical < kept[n].to)
            return true;
    return physical == SCC_APIC_BASE;
}

/* Uncached (PCD) together with PMB reads 8 bytes of a line four times
 * [partheymueller-2011, 2.2.2], so that pair is refused. */
s32 memory_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    u32 physical = t->ebx, type = t->esi & L4_TYPE_BITS;
    u32 address = t->esi & -PAGE, bits = type;
    s32 result = L4_OK;

    (void)slot;
    if (operation != L4_MEMORY_MAP || physical % PAGE ||
        t->edi > L4_PAGES_MAX || (type & 0x90) == 0x90)
        return L4_BAD_ARGUMENT;
    if (t->esi & PTE_WRITE)
        bits |= PTE_WRITE;
    for (u32 n = 0; n < t->edi && !result; n++) {
        if (memory_is_kernels(physical + n * PAGE))
            return L4_NO_RIGHT;
        result = map_root(&t->task->space, address + n * PAGE,
                          physical + n * PAGE, bits);
    }
    return result;
}
