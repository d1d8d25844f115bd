/*
 * segment.c: GDT, TSS and IDT.
 *
 * Segments are flat and only separate ring 0 from ring 3; GS has a thread's own.
 * The processor uses one field of the TSS, the stack of ring 0: the end of the
 * running thread's registers. All gates are interrupt gates: nothing interrupts the
 * kernel.
 */
#include "kernel/kernel.h"

#define STUB_BYTES 16

u32 task_state[26] __attribute__((section(".data.hot"), aligned(32)));
u64 descriptors[8] __attribute__((section(".data.hot"), aligned(32))) = {
    0,
    0x00CF9A000000FFFF, /* kernel code */
    0x00CF92000000FFFF, /* kernel data */
    0x00CFFA000000FFFF, /* user code */
    0x00CFF2000000FFFF, /* user data */
};
static u32 idt[VECTORS][2] __attribute__((section(".data.hot")));

struct pointer {
    u16 limit;
    u32 base;
} __attribute__((packed));

extern const char invoke_entry[];

static void gate(u32 number, const void *handler, bool open)
{
    u32 address = (u32)handler;

    idt[number][0] = KERNEL_CODE << 16 | (address & 0xFFFF);
    idt[number][1] = (address & 0xFFFF0000) | (open ? 0xEE00 : 0x8E00);
}

void segments_init(void)
{
    struct pointer gdtr = {sizeof(descriptors) - 1, (u32)descriptors};
    struct pointer idtr = {sizeof(idt) - 1, (u32)idt};
    u32 base = (u32)task_state;

    task_state[2] = KERNEL_DATA;
    task_state[25] = sizeof(task_state) << 16; /* no ports for ring 3 */
    descriptors[TASK_STATE / 8] =
        (u64)((base & 0xFF000000) | 0x8900 | (base >> 16 & 0xFF)) << 32 |
        (base << 16) | (sizeof(task_state) - 1);
    for (u32 n = 0; n < VECTORS; n++)
        /* Programs may raise breakpoints, overflows and Linux's calls. */
        gate(n, vectors + n * STUB_BYTES,
             n == 3 || n == 4 || n == VECTOR_LINUX);
    gate(L4_VECTOR, invoke_entry, true);
    __asm__ volatile("lgdt %0\n\t"
                     "lidt %1\n\t"
                     "ljmp %2, $1f\n"
                     "1:\tmov %3, %%ss\n\t"
                     "mov %4, %%ds\n\t"
                     "mov %4, %%es\n\t"
                     "ltr %w5"
                     :
                     : "m"(gdtr), "m"(idtr), "i"(KERNEL_CODE), "r"(KERNEL_DATA),
                       "r"(USER_DATA), "r"(TASK_STATE));
}
