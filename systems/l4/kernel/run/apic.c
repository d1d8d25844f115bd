/*
 * apic.c: the local APIC: its timer and the two interrupt pins. Its serial
 * bus leads nowhere on this chip [intel-eas], so nothing else counts.
 */
#include "kernel/kernel.h"
#include "common/local_apic.h"
#include "common/processor.h"
#include "scc/memory_map.h"

static u32 base;

void apic_init(void)
{
    base = device_page(DEVICE_APIC, SCC_APIC_BASE);
    write_register(base + APIC_SPURIOUS, APIC_ENABLED | VECTOR_SPURIOUS);
    write_register(base + APIC_LVT_LINT0, VECTOR_PIN0);
    write_register(base + APIC_LVT_LINT1, VECTOR_PIN1);
    write_register(base + APIC_DIVIDE, APIC_BY_1);
    write_register(base + APIC_LVT_TIMER, VECTOR_TIMER);
}

/* One interrupt after that many cycles; zero stops the timer. */
void apic_timer(u32 cycles)
{
    write_register(base + APIC_INITIAL_COUNT, cycles);
}

void apic_end_of_interrupt(void)
{
    write_register(base + APIC_END_OF_INTERRUPT, 0);
}
