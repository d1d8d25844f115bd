/* pages.c: which pages this core had to wait for, for how long, and at which
 * instruction last, with `report` on the command line. */
#include "visor.h"

#define MOST_FIRST 20u

static struct {
    u32 reads, writes, eip;
    u64 cycles;
} got[GUEST_MAX / PAGE];

/* This core has got a page that it had not. */
void pages_count(u32 page, bool write, u64 cycles)
{
    if (!options.reports)
        return;
    if (write)
        got[page].writes++;
    else
        got[page].reads++;
    got[page].eip = current->frame.eip;
    got[page].cycles += cycles;
}

void pages_print(void)
{
    for (u32 line = 0; line < MOST_FIRST; line++) {
        u32 most = 0;

        for (u32 n = 1; n < GUEST_MAX / PAGE; n++)
            if (got[n].cycles > got[most].cycles)
                most = n;
        if (!got[most].cycles)
            return;
        print("rockyvisor: page ");
        print_hex(most * PAGE);
        print(": ");
        print_decimal(got[most].reads);
        print(" reads, ");
        print_decimal(got[most].writes);
        print(" writes, ");
        print_decimal((u32)(got[most].cycles >> 10));
        print(" K cycles, last at ");
        print_hex(got[most].eip);
        print("\n");
        got[most].cycles = 0;
    }
}
