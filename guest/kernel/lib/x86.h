/* The processor's instructions that C has no words for. */
#ifndef X86_H
#define X86_H

#include "types.h"

static inline u8 in_byte(u16 port)
{
    u8 value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void out_byte(u16 port, u8 value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline u64 read_tsc(void)
{
    u64 value;

    __asm__ volatile("rdtsc" : "=A"(value));
    return value;
}

static inline u32 read_cr2(void)
{
    u32 value;

    __asm__ volatile("movl %%cr2, %0" : "=r"(value));
    return value;
}

static inline void write_cr3(u32 value)
{
    __asm__ volatile("movl %0, %%cr3" : : "r"(value) : "memory");
}

static inline void invalidate_page(u32 address)
{
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

/* STI holds interrupts off for one more instruction, so an interrupt that
 * is already due wakes the HLT instead of being lost before it. */
static inline void wait_for_interrupt(void)
{
    __asm__ volatile("sti; hlt; cli" : : : "memory");
}

static inline void halt_forever(void)
{
    for (;;)
        __asm__ volatile("cli; hlt");
}

struct pseudo_descriptor {
    u16 limit;
    u32 base;
} __attribute__((packed));

static inline void load_gdt(const struct pseudo_descriptor *table)
{
    __asm__ volatile("lgdt %0" : : "m"(*table));
}

static inline void load_idt(const struct pseudo_descriptor *table)
{
    __asm__ volatile("lidt %0" : : "m"(*table));
}

static inline void load_task_register(u16 selector)
{
    __asm__ volatile("ltr %0" : : "r"(selector));
}

static inline void load_ldt(u16 selector)
{
    __asm__ volatile("lldt %0" : : "r"(selector));
}

/* A 32-bit register of a memory-mapped device. */
static inline u32 read_register(u32 address)
{
    return *(volatile u32 *)address;
}

static inline void write_register(u32 address, u32 value)
{
    *(volatile u32 *)address = value;
}

#endif
