/* Where everything lies in a core's virtual address space; control bits.
 *
 * User space is 0x00001000..0xBFFFFFFF as on i386 Linux, so that programs
 * linked for it load unchanged. Included by assembly: constants only.
 */
#ifndef MEMORY_LAYOUT_H
#define MEMORY_LAYOUT_H

#include "common/cr0.h"

#define PAGE_SIZE 4096
#define PAGE_SHIFT 12

#define USER_START 0x00001000
#define USER_END 0xC0000000
#define STACK_TOP 0xBFFFF000
#define STACK_SIZE 0x00800000
#define MMAP_TOP 0xBF000000
#define PIE_BASE 0x08000000

#define KERNEL_BASE 0xC0000000 /* the first 4 MB of private memory */
#define KMAP_BASE 0xD0000000   /* mappings made while booting, and devices */
#define KMAP_END 0xE0000000
#define PAGE_TABLES 0xFFC00000
#define PAGE_DIRECTORY 0xFFFFF000

#define KERNEL_STACK_SIZE 16384
/* How deep the stacks of kernel and program usually are: their lines are
 * fetched early, else each push would be a bus transaction (string.c). */
#define STACK_USED 1024

/* Page table entry [intel-pentium-manual]; PMB is the SCC's own [intel-eas]. */
#define PTE_PRESENT 0x001
#define PTE_WRITE 0x002
#define PTE_USER 0x004
#define PTE_PWT 0x008
#define PTE_PCD 0x010
#define PTE_DIRTY 0x040
#define PTE_PMB 0x080
#define PTE_OWNED \
    0x200 /* free for software: the frame goes back when unmapped */
#define PTE_FRAME 0xFFFFF000

/* The SCC's memory types as page table bits. */
#define TYPE_WRITE_BACK 0
#define TYPE_UNCACHED (PTE_PCD | PTE_PWT)
#define TYPE_MPBT (PTE_PMB | PTE_PWT)
#define TYPE_MASK (PTE_PCD | PTE_PWT | PTE_PMB)

#define CR4_MPE 0x00000800

/* Segment selectors, numbered as i386 Linux numbers them: some programs
 * compare them. TLS descriptors are entries 6 to 8. */
#define GDT_TLS 6
#define GDT_TSS 10
#define GDT_LDT 11
#define GDT_ENTRIES 16
#define KERNEL_CS 0x60
#define KERNEL_DS 0x68
#define USER_CS 0x73
#define USER_DS 0x7b

#define VECTOR_TIMER 0x20
#define VECTOR_LINT0 0x21
#define VECTOR_LINT1 0x22
#define VECTOR_SPURIOUS 0x2F
#define VECTOR_SYSCALL 0x80
#define VECTORS 0x30 /* exceptions and interrupts; 0x80 is apart */

#endif
