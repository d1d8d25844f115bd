/* processor.h: processor instructions for which C has no expression. */
#ifndef COMMON_PROCESSOR_H
#define COMMON_PROCESSOR_H

#include "common/cr0.h"
#include "common/types.h"

static inline void out_byte(u16 port, u8 value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline u8 in_byte(u16 port)
{
    u8 value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
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

    __asm__ volatile("mov %%cr2, %0" : "=r"(value));
    return value;
}

static inline void write_cr3(u32 physical)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(physical) : "memory");
}

static inline void invalidate_page(u32 address)
{
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

static inline void halt_forever(void)
{
    for (;;)
        __asm__ volatile("cli; hlt");
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
