/*
 * segment.c: GDT, TSS and IDT.
 *
 * Segments are flat and only separate ring 0 from ring 3. Of the TSS the
 * processor uses one field: the kernel stack to switch to on the way from
 * ring 3. All gates are interrupt gates: the kernel is not interrupted.
 */
#include "kernel.h"

#define STUB_BYTES 16

static uint32_t tss[26]; /* [1] is ESP0, [2] is SS0, [25] the I/O bitmap */
static uint32_t gdt[6][2] = {
    {0, 0},
    {0x0000FFFF, 0x00CF9A00}, /* kernel code */
    {0x0000FFFF, 0x00CF9200}, /* kernel data */
    {0x0000FFFF, 0x00CFFA00}, /* user code */
    {0x0000FFFF, 0x00CFF200}, /* user data */
};
static uint32_t idt[VECTORS][2];

struct pointer {
    uint16_t limit;
    uint32_t base;
} __attribute__((packed));

void set_kernel_stack(void *top)
{
    tss[1] = (uint32_t)top;
}

void segments_init(void)
{
    struct pointer gdtr = {sizeof gdt - 1, (uint32_t)gdt};
    struct pointer idtr = {sizeof idt - 1, (uint32_t)idt};
    uint32_t base = (uint32_t)tss, n;

    tss[2] = KERNEL_DATA;
    tss[25] = sizeof tss << 16; /* beyond the limit: no ports for ring 3 */
    gdt[TASK / 8][0] = base << 16 | (sizeof tss - 1);
    gdt[TASK / 8][1] = (base & 0xFF000000) | 0x8900 | (base >> 16 & 0xFF);
    for (n = 0; n < VECTORS; n++) {
        uint32_t handler = (uint32_t)vectors + n * STUB_BYTES;
        /* Programs may raise breakpoints and system calls by INT. */
        int open = n == 3 || n == 4 || n == SYSTEM_CALL;

        idt[n][0] = KERNEL_CODE << 16 | (handler & 0xFFFF);
        idt[n][1] = (handler & 0xFFFF0000) | (open ? 0xEE00 : 0x8E00);
    }
    __asm__ volatile("lgdt %0\n\t"
                     "lidt %1\n\t"
                     "ljmp %2, $1f\n"
                     "1:\tmov %3, %%ds\n\t"
                     "mov %3, %%es\n\t"
                     "mov %3, %%ss\n\t"
                     "ltr %w4"
                     :
                     : "m"(gdtr), "m"(idtr), "i"(KERNEL_CODE), "r"(KERNEL_DATA),
                       "r"(TASK));
}
