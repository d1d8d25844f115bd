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

void report(void)
{
    u32 brief = short_traps + SHORT_TRAPS - (u32)short_left;

    pages_print();
    if (!options.reports)
        return;
    line("traps", counts.traps + brief);
    line("of them CLI and STI that needed nothing else", brief);
    line("loads of another address space's tables", counts.tables_loaded);
    line("hidden page faults", counts.hidden);
    line("page faults of the guest", counts.reflected);
    line("instructions emulated", counts.emulated);
    line("interrupts", counts.interrupts);
    line("page tables chosen", counts.roots);
    line("times all shadows emptied", counts.flushes);
    line("pages asked for", counts.asked);
    line("times refused", counts.refused);
    line("pages given", counts.gave);
    line("pages copied", counts.copies);
    line("pages private again", counts.settled);
    line("pages hot", counts.heated);
    line("writes to hot pages", counts.hot_writes);
    line("mails", counts.mails);
    line("flushes of L2", counts.cache_flushes);
    histogram_print();
}

void power_off(u32 code)
{
    if (core_index)
        console_flush();
    else
        console_print_all();
    report();
    mail_end();
    core_end(code);
}
