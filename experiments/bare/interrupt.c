/*
 * interrupt.c: LINT0, fixed and edge-triggered, through one interrupt gate.
 */
#include "bare.h"

#define APIC_SPURIOUS 0x0F0
#define APIC_LINT0 0x350
#define SOFTWARE_ENABLE 0x1FF
#define CODE_SEGMENT 8u
#define INTERRUPT_GATE 0x8E00u

void take_lint0(void (*handler)(void))
{
    static uint32_t gates[2 * (LINT0_VECTOR + 1)];
    static struct __attribute__((packed)) {
        uint16_t limit;
        uint32_t base;
    } gate_register;
    uint32_t entry = (uint32_t)handler;

    gates[2 * LINT0_VECTOR] = CODE_SEGMENT << 16 | (entry & 0xFFFF);
    gates[2 * LINT0_VECTOR + 1] = (entry & 0xFFFF0000) | INTERRUPT_GATE;
    gate_register.limit = sizeof(gates) - 1;
    gate_register.base = (uint32_t)gates;
    __asm__ volatile("lidt %0" : : "m"(gate_register));
    store(SCC_APIC_BASE + APIC_SPURIOUS, SOFTWARE_ENABLE);
    store(SCC_APIC_BASE + APIC_LINT0, LINT0_VECTOR);
}
