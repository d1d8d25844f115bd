/*
 * layout.h: where things lie, for C and assembly.
 *
 * The first 16 MB of memory appear from KERNEL_BASE on in every address
 * space, so a physical address and the kernel's address of the same byte
 * differ by a constant. Below KERNEL_BASE each process has its own pages.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#define KERNEL_BASE 0xC0000000
#define KERNEL_MEMORY 0x01000000 /* 16 MB: four page tables */
#define PAGE 4096
#define STACK_TOP KERNEL_BASE
#define STACK_BYTES 0x10000
#define USER_BASE 0x00400000 /* programs are linked for it */
#define USER_HEAP 0x00800000 /* how far a program's data may grow */
#define APIC_BASE 0xFEE00000

/* Selectors, in the order of segment.c. */
#define KERNEL_CODE 0x08
#define KERNEL_DATA 0x10
#define USER_CODE 0x1B
#define USER_DATA 0x23
#define TASK 0x28

#define VECTORS 0x81
#define TIMER_VECTOR 0x20
#define SPURIOUS_VECTOR 0x3F
#define SYSTEM_CALL 0x80

#define PTE_PRESENT 1
#define PTE_WRITABLE 2
#define PTE_USER 4
#define PTE_UNCACHED 0x18
#define PTE_SHARED 0x200 /* a bit for the kernel: copy before writing */

#endif
