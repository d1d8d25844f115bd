/* Multiboot entry: turn on paging and the caches, then enter the kernel.
 *
 * The loader leaves flat 32-bit segments, paging off and interrupts off
 * [multiboot-0.6.96]. This file holds the first page directory, ready made,
 * so that no store has to build it.
 */
#include "layout.h"

#define MULTIBOOT_MAGIC 0x1BADB002
#define MULTIBOOT_FLAGS 0x00000003      /* page-aligned modules, memory size */

        .section .multiboot, "a"
        .balign 4
        .long MULTIBOOT_MAGIC
        .long MULTIBOOT_FLAGS
        .long -(MULTIBOOT_MAGIC + MULTIBOOT_FLAGS)

        .section .boot, "ax"
        .globl boot_entry
boot_entry:
        cli
        cld
        movl %eax, %esi                 /* loader's magic number */
        movl $(boot_directory - KERNEL_BASE), %ecx
        movl %ecx, %cr3

        /* MPE gives page-table bit 7 its SCC meaning (PMB, the MPBT memory
         * type). PSE claims the same bit for 4 MB pages and stays off. */
        movl $CR4_MPE, %ecx
        movl %ecx, %cr4

        /* Paging; write protection for ring 0 too, so that a system call
         * cannot write a read-only user page; x87 errors as exception 16;
         * and CD, NW clear: the reset state has the caches off. */
        movl $(CR0_PG | CR0_AM | CR0_WP | CR0_NE | CR0_ET | CR0_MP | CR0_PE), %ecx
        movl %ecx, %cr0
        movl $boot_high, %ecx
        jmp *%ecx

        .text
boot_high:
        movl $kernel_stack_top, %esp
        xorl %ebp, %ebp                 /* ends the chain of frame pointers */
        pushl %ebx                      /* multiboot information */
        pushl %esi
        call kernel_main
        ud2                             /* kernel_main does not return */

        .data
        .balign 4096
/* The first 4 MB at 0 (for the jump above; taken away later) and at
 * KERNEL_BASE; an empty table for the first mappings at KMAP_BASE, needed
 * before it is known which frames are free; the last entry maps the tables
 * themselves at PAGE_TABLES. */
        .globl boot_directory
boot_directory:
        .long boot_table - KERNEL_BASE + (PTE_PRESENT | PTE_WRITE)
        .fill (KERNEL_BASE >> 22) - 1, 4, 0
        .long boot_table - KERNEL_BASE + (PTE_PRESENT | PTE_WRITE)
        .fill (KMAP_BASE >> 22) - (KERNEL_BASE >> 22) - 1, 4, 0
        .long kmap_table - KERNEL_BASE + (PTE_PRESENT | PTE_WRITE)
        .fill 1023 - (KMAP_BASE >> 22) - 1, 4, 0
        .long boot_directory - KERNEL_BASE + (PTE_PRESENT | PTE_WRITE)

boot_table:
        .set frame, 0
        .rept 1024
        .long frame + (PTE_PRESENT | PTE_WRITE)
        .set frame, frame + 4096
        .endr

        .bss
        .balign 4096
kmap_table:
        .skip 4096
        .globl kernel_stack_guard
kernel_stack_guard:                     /* unmapped: an overflow must trap */
        .skip 4096
        .skip KERNEL_STACK_SIZE
        .globl kernel_stack_top
kernel_stack_top:
