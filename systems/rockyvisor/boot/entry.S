/*
 * entry.S: from the boot loader to C, with paging on.
 *
 * Multiboot enters with flat segments and paging off; EBX points to the boot
 * information [multiboot-0.6.96]. The tables are ready made: private memory at
 * VISOR_BASE and, until main() takes that away, its first 4 MB at 0 for the
 * jump.
 */
#include "layout.h"

#define CR0_SETTINGS 0x80010033 /* PG, WP, NE, ET, MP, PE; caches on */
#define CR4_MPE 0x800           /* bit 7 of an entry: MPBT [intel-eas] */

    .section .multiboot, "a"
    .balign 4
    .long 0x1BADB002            /* magic, flags, checksum */
    .long 3
    .long -(0x1BADB002 + 3)

    .section .boot, "ax"
    .globl boot_entry
boot_entry:
    cli
    cld
    mov $(boot_directory - VISOR_BASE), %ecx
    mov %ecx, %cr3
    mov $CR4_MPE, %ecx
    mov %ecx, %cr4
    mov $CR0_SETTINGS, %ecx
    mov %ecx, %cr0
    mov $high, %ecx
    jmp *%ecx

    .text
high:
    mov $visor_stack_top, %esp
    xor %ebp, %ebp
    push %ebx
    push %eax
    call main
    ud2

    .data
    .balign PAGE
    .globl boot_directory, visor_tables
boot_directory:
    .long visor_tables - VISOR_BASE + 3
    .fill DIRECTORY_VISOR - 1, 4, 0
    .set table, 0
    .rept VISOR_TABLES
    .long visor_tables - VISOR_BASE + table * PAGE + 3
    .set table, table + 1
    .endr
visor_tables:
    .set page, 0
    .rept VISOR_SEES / PAGE
    .long page + 3
    .set page, page + PAGE
    .endr
    .fill VISOR_TABLES * 1024 - VISOR_SEES / PAGE, 4, 0

    .bss
    .balign PAGE
    .skip 2 * PAGE
    .globl visor_stack_top
visor_stack_top:
