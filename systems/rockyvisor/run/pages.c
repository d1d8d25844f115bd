/*
 * pages.c: which pages this core had to wait for, for how long, and at which
 * instruction last, with `pages` on the command line; and where each virtual
 * processor has the segment of FS, by which Linux finds the processor's own
 * data. The lines are for a reader on the host, so they go to COM2.
 */
#include "visor.h"

#define MOST_FIRST 40u

static struct {
    u32 reads, writes, eip;
    u64 cycles;
} got[GUEST_MAX / PAGE];
static u32 own_data[VCPUS_MAX]; /* of the virtual processor, or 0 */

/* This core has got a page that it had not. */
void pages_count(u32 page, bool write, u64 cycles)
{
    u32 base;

    if (!options.lists_pages)
        return;
    if (write)
        got[page].writes++;
    else
        got[page].reads++;
    got[page].eip = current->frame.eip;
    got[page].cycles += cycles;
    base =
        in_program(current) ? 0 : descriptor_base(current->frame.fs & 0xFFFF);
    if (base)
        own_data[current - vcpus] = base;
}

static void print_own_data(void)
{
    for (u32 n = 0; n < options.per_core; n++) {
        if (!own_data[n])
            continue;
        print("rockyvisor: processor ");
        print_decimal(vcpus[n].id);
        print(" has FS at ");
        print_hex(own_data[n]);
        print("\n");
    }
}

static void print_page(u32 page)
{
    print("rockyvisor: page ");
    print_hex(page * PAGE);
    print(": ");
    print_decimal(got[page].reads);
    print(" reads, ");
    print_decimal(got[page].writes);
    print(" writes, ");
    print_decimal((u32)(got[page].cycles >> 10));
    print(" K cycles, last at ");
    print_hex(got[page].eip);
    print("\n");
}

void pages_print(void)
{
    if (!options.lists_pages)
        return;
    print_apart(true);
    print_own_data();
    for (u32 line = 0; line < MOST_FIRST; line++) {
        u32 most = 0;

        for (u32 n = 1; n < GUEST_MAX / PAGE; n++)
            if (got[n].cycles > got[most].cycles)
                most = n;
        if (!got[most].cycles)
            break;
        print_page(most);
        got[most].cycles = 0;
    }
    print_apart(false);
}
