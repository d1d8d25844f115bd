/* processor.h: processor instructions for which C has no expression. */
#ifndef COMMON_PROCESSOR_H
#define COMMON_PROCESSOR_H

#include "common/types.h"

/* Bits of CR0 [intel-sdm]. */
#define CR0_PE 1
#define CR0_TS 8
#define CR0_ET 0x10
#define CR0_WP 0x10000
#define CR0_PG 0x80000000

static inline void port_out(u16 port, u8 value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline u8 port_in(u16 port)
{
    u8 value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline u64 time_stamp(void)
{
    u64 value;

    __asm__ volatile("rdtsc" : "=A"(value));
    return value;
}

static inline u32 fault_address(void)
{
    u32 value;

    __asm__ volatile("mov %%cr2, %0" : "=r"(value));
    return value;
}

static inline void use_directory(u32 physical)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(physical) : "memory");
}

static inline void forget_page(u32 address)
{
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

static inline void halt_forever(void)
{
    for (;;)
        __asm__ volatile("cli; hlt");
}

static inline u32 device_read(u32 address)
{
    return *(volatile u32 *)address;
}

static inline void device_write(u32 address, u32 value)
{
    *(volatile u32 *)address = value;
}

#endif
