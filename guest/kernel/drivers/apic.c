/* The local APIC: its timer, and the two interrupt pins.
 *
 * The APIC's serial bus leads nowhere on this chip, so only local sources
 * count [intel-eas]. The timer counts the core's own clock.
 */
#include "common/local_apic.h"
#include "drivers/drivers.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "scc/memory_map.h"

static u32 base;

void apic_init(void)
{
    base = vm_map_kernel(SCC_APIC_BASE, PAGE_SIZE, TYPE_UNCACHED);
    write_register(base + APIC_SPURIOUS, APIC_ENABLED | VECTOR_SPURIOUS);
    /* Nobody interrupts this core yet: its pins stay masked (pin.c). */
    write_register(base + APIC_LVT_LINT0, APIC_MASKED | VECTOR_LINT0);
    write_register(base + APIC_LVT_LINT1, APIC_MASKED | VECTOR_LINT1);
    write_register(base + APIC_DIVIDE, APIC_BY_1);
    write_register(base + APIC_LVT_TIMER, VECTOR_TIMER);
}

/* One interrupt after that many cycles; zero stops the timer. */
void apic_timer_start(u32 cycles)
{
    write_register(base + APIC_INITIAL_COUNT, cycles);
}

/* LINT0 from now on: fixed, edge-triggered. */
void apic_enable_pin(void)
{
    write_register(base + APIC_LVT_LINT0, VECTOR_LINT0);
}

void apic_end_of_interrupt(void)
{
    write_register(base + APIC_END_OF_INTERRUPT, 0);
}
