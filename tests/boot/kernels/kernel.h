/*
 * kernel.h: what the small kernels share: ports, registers, words on COM1.
 * Paging is off, caches are off: every access goes out.
 */
#ifndef TESTS_BOOT_KERNEL_H
#define TESTS_BOOT_KERNEL_H

#include <stdint.h>

#include <scc/registers.h>

#define COM1 SCC_SERIAL_COM1
#define LINT0_VECTOR 0x30
#define APIC_EOI 0xFEE000B0
#define APIC_SPURIOUS 0xFEE000F0
#define APIC_LINT0 0xFEE00350
#define MULTIBOOT_LOADED 0x2BADB002

extern void enter_lint0(void);

static inline void outb(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint8_t inb(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline uint32_t load(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

static inline void store(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

/* The number of this core: its tile's coordinates, and which of the two. */
static inline uint32_t core_number(void)
{
    uint32_t id = load(SCC_CRB_OWN + SCC_CRB_TILEID);
    return 12 * (id >> 7 & 0xF) + 2 * (id >> 3 & 0xF) + (id & 7);
}

static inline void say(const char *text)
{
    while (*text != 0)
        outb(COM1, (uint8_t)*text++);
}

static inline void say_number(uint32_t value)
{
    if (value >= 10)
        say_number(value / 10);
    outb(COM1, (uint8_t)('0' + value % 10));
}

/* LINT0, fixed and edge-triggered, through one interrupt gate. */
static inline void take_lint0(void)
{
    static uint32_t idt[2 * (LINT0_VECTOR + 1)];
    static struct __attribute__((packed)) {
        uint16_t limit;
        uint32_t base;
    } idt_register;
    uint32_t handler = (uint32_t)enter_lint0;

    idt[2 * LINT0_VECTOR] = 8 << 16 | (handler & 0xFFFF);
    idt[2 * LINT0_VECTOR + 1] = (handler & 0xFFFF0000) | 0x8E00;
    idt_register.limit = sizeof(idt) - 1;
    idt_register.base = (uint32_t)idt;
    __asm__ volatile("lidt %0" : : "m"(idt_register));
    store(APIC_SPURIOUS, 0x1FF);
    store(APIC_LINT0, LINT0_VECTOR);
}

/* The end of an interrupt from outside: the pin low again, then the APIC. */
static inline void end_lint0(void)
{
    uint32_t glcfg = SCC_CRB_OWN + SCC_CRB_GLCFG(core_number() & 1);
    store(glcfg, load(glcfg) & ~(uint32_t)SCC_CRB_GLCFG_INTR);
    store(APIC_EOI, 0);
}

/* Sleeps until `*flag` is set by a handler: STI takes effect behind HLT. */
static inline void sleep_until(volatile uint32_t *flag)
{
    for (;;) {
        __asm__ volatile("cli");
        if (*flag)
            return;
        __asm__ volatile("sti; hlt");
    }
}

#endif
