/*
 * entry.S: from the boot loader to C, with paging on.
 *
 * Multiboot enters with flat segments and paging off; EBX points to the boot
 * information [multiboot-0.6.96]. The directory is ready made: the first 4 MB
 * at KERNEL_BASE and, until main() takes them away, at 0 for the jump.
 */
#include "kernel/layout.h"

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
    mov $(boot_directory - KERNEL_BASE), %ecx
    mov %ecx, %cr3
    mov $CR4_MPE, %ecx
    mov %ecx, %cr4
    mov $CR0_SETTINGS, %ecx
    mov %ecx, %cr0
    mov $high, %ecx
    jmp *%ecx

    .text
high:
    mov $kernel_stack_top, %esp
    xor %ebp, %ebp
    push %ebx
    push %eax
    call main
    ud2

    .data
    .balign PAGE
    .globl boot_directory, pool_tables, device_table
boot_directory:
    .long first_table - KERNEL_BASE + 3
    .fill DIRECTORY_USER - 1, 4, 0
    .long first_table - KERNEL_BASE + 3
    .fill ((POOL_BASE - KERNEL_BASE) >> 22) - 1, 4, 0
    .set table, 0
    .rept POOL_TABLES
    .long pool_tables - KERNEL_BASE + table * PAGE + 3
    .set table, table + 1
    .endr
    .fill ((DEVICE_BASE - POOL_BASE) >> 22) - POOL_TABLES, 4, 0
    .long device_table - KERNEL_BASE + 3
    .fill 1023 - (DEVICE_BASE >> 22), 4, 0
first_table:
    .set frame, 0
    .rept 1024
    .long frame + 3
    .set frame, frame + PAGE
    .endr
pool_tables:
    .fill POOL_TABLES * 1024, 4, 0
device_table:
    .fill 1024, 4, 0

    .bss
    .balign 16
    .skip PAGE
    .globl kernel_stack_top
kernel_stack_top:
