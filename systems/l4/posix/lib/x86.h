/*
 * x86.h: what our ordinary kernel asks of the processor, where that kernel's
 * sources run in ring 3: by invocations, or not at all.
 */
#ifndef LIB_X86_H
#define LIB_X86_H

#include "lib/types.h"

#define X87_BYTES 108 /* what FNSAVE writes [intel-pentium-manual] */

struct x87_state {
    u8 bytes[X87_BYTES];
};

/* x87.c: of the program, not of this server */
void x87_save(void *to);
void x87_load(const void *from);
void x87_reset(void);
void x87_words(u16 *status, u16 *control);

/* vm.c */
void invalidate_page(u32 address);

/* event.c */
void wait_for_interrupt(void);
void halt_forever(void) __attribute__((noreturn));
void caches_write_back(void);

/* chip.c: 32-bit registers of devices are no memory here */
u32 read_register(u32 address);
void write_register(u32 address, u32 value);

/* enter.c: returns the address whose access caused the last page fault. */
u32 read_cr2(void);

static inline u64 read_tsc(void)
{
    u64 value;

    __asm__ volatile("rdtsc" : "=A"(value));
    return value;
}

/* event.c: when the interrupt that is being served came. */
u64 interrupt_time(void);

struct pseudo_descriptor {
    u16 limit;
    u32 base;
} __attribute__((packed));

/* The table of segments is the microkernel's; enter.c passes on the one entry
 * that it takes. */
static inline void load_gdt(const struct pseudo_descriptor *table)
{
    (void)table;
}

static inline void load_task_register(u16 selector)
{
    (void)selector;
}

static inline void load_ldt(u16 selector)
{
    (void)selector;
}

static inline void load_segments(u32 code, u32 data)
{
    (void)code;
    (void)data;
}

#endif
