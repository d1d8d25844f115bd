/* power.c: the machine's end. */
#include "visor.h"

static void line(const char *what, u32 count)
{
    print("rockyvisor: ");
    print_decimal(count);
    print(" ");
    print(what);
    print("\n");
}

static void report(void)
{
    line("traps", counts.traps);
    line("hidden page faults", counts.hidden);
    line("page faults of the guest", counts.reflected);
    line("instructions emulated", counts.emulated);
    line("interrupts", counts.interrupts);
    line("page tables chosen", counts.roots);
    line("times all shadows emptied", counts.flushes);
}

void power_off(u32 code)
{
    if (options.reports)
        report();
    core_end(code);
}
