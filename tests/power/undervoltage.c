// A clock of 800 MHz at 0.8 V: reported once; with --strict-voltage a fault.
// run: -n 1 --tag none
// cc: -O2
// expect-match: still here
// expect-stderr: cores 00-01: divider 2 needs 1.100 V; the domain has 1.075 V, at
// mutant: any-voltage-will-do
#include "meter.h"

#define GCBCFG_DIVIDER_2 (14u << 19 | 14u << 12 | 1u << 8)

int main(void)
{
    volatile uint32_t *regulator = page_of(SCC_VRC_BASE);
    volatile uint32_t *own = page_of(SCC_CRB_OWN);

    if (!regulator || !own)
        return 2;
    own[SCC_CRB_GCBCFG / 4] =
        GCBCFG_DIVIDER_2 | (own[SCC_CRB_GCBCFG / 4] & 255);
    regulator[0] = 0x10480; /* 0.8 V for the own domain */
    regulator[0] = 0x10480; /* waits until it is there */
    puts("still here");
    return 0;
}
