/* The processor's instructions that this kernel alone uses; the others are those
 * of common/processor.h. */
#ifndef LIB_X86_H
#define LIB_X86_H

#include "common/processor.h"
#include "lib/types.h"

/* When the interrupt that is being served came, as far as the kernel knows. */
static inline u64 interrupt_time(void)
{
    return read_tsc();
}

/* STI holds interrupts off for one more instruction, so an interrupt that
 * is already due wakes the HLT instead of being lost before it. */
static inline void wait_for_interrupt(void)
{
    __asm__ volatile("sti; hlt; cli" : : : "memory");
}

#define X87_BYTES 108 /* what FNSAVE writes [intel-pentium-manual] */

struct x87_state {
    u8 bytes[X87_BYTES];
};

/* FNSAVE also resets the x87. */
static inline void x87_save(void *to)
{
    __asm__ volatile("fnsave %0" : "=m"(*(struct x87_state *)to));
}

static inline void x87_load(const void *from)
{
    __asm__ volatile("frstor %0" : : "m"(*(const struct x87_state *)from));
}

/* Known state, all errors masked, 64-bit precision: 0x37F. */
static inline void x87_reset(void)
{
    __asm__ volatile("fninit");
}

static inline void x87_words(u16 *status, u16 *control)
{
    __asm__ volatile("fnstsw %0; fnstcw %1" : "=m"(*status), "=m"(*control));
}

/* Dirty lines go to memory, and L1 is empty. */
static inline void caches_write_back(void)
{
    __asm__ volatile("wbinvd" : : : "memory");
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

/* FS and GS become null. */
static inline void load_segments(u32 code, u32 data)
{
    __asm__ volatile("pushl %0; pushl $1f; lretl\n"
                     "1: movl %1, %%ds\n"
                     "movl %1, %%es\n"
                     "movl %1, %%ss\n"
                     "movl %2, %%fs\n"
                     "movl %2, %%gs"
                     :
                     : "r"(code), "r"(data), "r"(0)
                     : "memory");
}

static inline void load_ldt(u16 selector)
{
    __asm__ volatile("lldt %0" : : "r"(selector));
}

#endif
