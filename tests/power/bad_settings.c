// What no rail gives and no clock bears: refused or reported, and nothing changes.
// run: -n 1 --tag none
// cc: -O2
// expect-stdout:
// level 43690 43690 43690
// divider 3
// expect-stderr: the voltage regulator refused 1.500 V for domain 4
#include "meter.h"

int main(void)
{
    volatile uint32_t *regulator = page_of(SCC_VRC_BASE);
    volatile uint32_t *own = page_of(SCC_CRB_OWN);

    if (!open_meter() || !regulator || !own)
        return 2;
    printf("level %u", fpga(0x8410));
    regulator[0] = 0x104F0; /* 1.5 V */
    printf(" %u", fpga(0x8410));
    regulator[0] = 0x10410; /* 0.1 V */
    printf(" %u\n", fpga(0x8410));
    printf("divider %u\n", (own[SCC_CRB_GCBCFG / 4] >> 8 & 15) + 1);
    return 0;
}
