/*
 * apic.c: the local APIC: its timer and the two interrupt pins. Its serial
 * bus leads nowhere on this chip [intel-eas], so nothing else counts.
 */
#include "kernel/kernel.h"
#include "kernel/x86.h"
#include "scc/memory_map.h"

enum {
    END_OF_INTERRUPT = 0x0B0,
    SPURIOUS = 0x0F0,
    LVT_TIMER = 0x320,
    LVT_LINT0 = 0x350,
    LVT_LINT1 = 0x360,
    INITIAL_COUNT = 0x380,
    DIVIDE = 0x3E0,
};

#define SOFTWARE_ENABLE 0x100u
#define DIVIDE_BY_1 0xBu

static u32 base;

void apic_init(void)
{
    base = device_page(DEVICE_APIC, SCC_APIC_BASE);
    device_write(base + SPURIOUS, SOFTWARE_ENABLE | VECTOR_SPURIOUS);
    device_write(base + LVT_LINT0, VECTOR_PIN0);
    device_write(base + LVT_LINT1, VECTOR_PIN1);
    device_write(base + DIVIDE, DIVIDE_BY_1);
    device_write(base + LVT_TIMER, VECTOR_TIMER);
}

/* One interrupt after that many cycles; zero stops the timer. */
void apic_timer(u32 cycles)
{
    device_write(base + INITIAL_COUNT, cycles);
}

void apic_end_of_interrupt(void)
{
    device_write(base + END_OF_INTERRUPT, 0);
}
