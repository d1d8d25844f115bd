/* two_tasks.c: the root task of the first test: it asks sigma0 for a page,
 * writes to it, and both are in ring 3. */
#include "lib/l4.h"

int main(void)
{
    const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
    volatile uint32_t *page = (volatile uint32_t *)0x1000000;
    uint32_t ring;

    __asm__("mov %%cs, %0" : "=r"(ring));
    say("core %d, ring %d, %d modules\n", (int)boot->core, (int)(ring & 3),
        (int)boot->module_count);
    say("a page: %d\n", (int)take_pages((uint32_t)page, 1));
    *page = 42;
    say("it holds %d\n", (int)*page);
    return 0;
}
