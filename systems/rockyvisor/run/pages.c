/* pages.c: which pages this core had to get most often, and at which
 * instruction last, with `report` on the command line. */
#include "visor.h"

#define MOST_FIRST 20u

static struct {
    u32 count, eip;
} got[GUEST_MAX / PAGE];

/* This core needs a page that it has not. */
void pages_count(u32 page)
{
    got[page].count++;
    got[page].eip = current->frame.eip;
}

void pages_print(void)
{
    for (u32 line = 0; line < MOST_FIRST; line++) {
        u32 most = 0;

        for (u32 n = 1; n < GUEST_MAX / PAGE; n++)
            if (got[n].count > got[most].count)
                most = n;
        if (!got[most].count)
            return;
        print("rockyvisor: page ");
        print_hex(most * PAGE);
        print(" was needed ");
        print_decimal(got[most].count);
        print(" times, last at ");
        print_hex(got[most].eip);
        print("\n");
        got[most].count = 0;
    }
}
