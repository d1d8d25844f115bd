/*
 * entry.S: from the boot loader to C, with paging on.
 *
 * Multiboot enters with flat segments and paging off; EBX points to the boot
 * information. The page directory below is ready made: the kernel's 16 MB at
 * KERNEL_BASE and, until main() takes it away, at 0 as well, for the jump.
 */
#include "layout.h"

#define CR0_SETTINGS 0x80010033 /* PG, WP, NE, ET, MP, PE; caches on */

    .section .multiboot, "a"
    .balign 4
    .long 0x1BADB002            /* magic, flags, checksum */
    .long 3
    .long -(0x1BADB002 + 3)

    .section .boot, "ax"
    .globl start
start:
    mov $(kernel_directory - KERNEL_BASE), %ecx
    mov %ecx, %cr3
    mov $CR0_SETTINGS, %ecx
    mov %ecx, %cr0
    mov $high, %ecx
    jmp *%ecx

    .text
high:
    mov $boot_stack_top, %esp
    xor %ebp, %ebp
    push %ebx
    call main
    ud2

    .macro entries first, last
    .set page, \first
    .rept \last - \first
    .long page * PAGE + PTE_PRESENT + PTE_WRITABLE
    .set page, page + 1
    .endr
    .endm

    .data
    .balign PAGE
    .globl kernel_directory
kernel_directory:
    .set table, 0
    .rept 4
    .long kernel_tables - KERNEL_BASE + table * PAGE + 3
    .set table, table + 1
    .endr
    .fill (KERNEL_BASE >> 22) - 4, 4, 0
    .set table, 0
    .rept 4
    .long kernel_tables - KERNEL_BASE + table * PAGE + 3
    .set table, table + 1
    .endr
    .fill 1024 - (KERNEL_BASE >> 22) - 4, 4, 0
kernel_tables:
    entries 0, KERNEL_MEMORY / PAGE
    .globl apic_table
apic_table:
    .fill 1024, 4, 0

    .bss
    .balign 16
    .skip PAGE
boot_stack_top:
