/* The local APIC: its timer, and the two interrupt pins.
 *
 * The APIC's serial bus leads nowhere on this chip, so only local sources
 * count [intel-eas]. The timer counts the core's own clock.
 */
#include "defs.h"
#include "scc/memory_map.h"
#include "x86.h"

enum {
    END_OF_INTERRUPT = 0x0B0,
    SPURIOUS_VECTOR = 0x0F0,
    LVT_TIMER = 0x320,
    LVT_LINT0 = 0x350,
    LVT_LINT1 = 0x360,
    INITIAL_COUNT = 0x380,
    DIVIDE = 0x3E0,
};

#define SOFTWARE_ENABLE 0x100u
#define LVT_MASKED 0x10000u
#define DIVIDE_BY_1 0xBu

static u32 base;

void apic_init(void)
{
    base = vm_map_kernel(SCC_APIC_BASE, PAGE_SIZE, TYPE_UNCACHED);
    write_register(base + SPURIOUS_VECTOR, SOFTWARE_ENABLE | VECTOR_SPURIOUS);
    /* Nobody interrupts this core yet: its pins stay masked (pin.c). */
    write_register(base + LVT_LINT0, LVT_MASKED | VECTOR_LINT0);
    write_register(base + LVT_LINT1, LVT_MASKED | VECTOR_LINT1);
    write_register(base + DIVIDE, DIVIDE_BY_1);
    write_register(base + LVT_TIMER, VECTOR_TIMER);
}

/* One interrupt after that many cycles; zero stops the timer. */
void apic_timer_start(u32 cycles)
{
    write_register(base + INITIAL_COUNT, cycles);
}

/* LINT0 from now on: fixed, edge-triggered. */
void apic_enable_pin(void)
{
    write_register(base + LVT_LINT0, VECTOR_LINT0);
}

void apic_end_of_interrupt(void)
{
    write_register(base + END_OF_INTERRUPT, 0);
}
