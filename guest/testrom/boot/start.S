/*
 * start.S: from the reset vector to the tests.
 *
 * After RESET the core fetches at FFFFFFF0 in real mode, with CS = F000 and
 * a hidden base of FFFF0000 (Developer's Manual vol. 3, 10.2). The ROM first
 * copies itself to low memory, where it can write, and goes on there.
 */
#include "layout.h"

#define ROM_BYTES 0x10000
#define LINE_CONTROL (COM1 + 3)
#define EIGHT_BITS 3

    .section .start, "awx"
    .code16
    .globl reset
begin:
    mov %edx, %ebp              /* the signature at reset */
    mov %cr0, %ebx
    mov $IMAGE >> 4, %ax
    mov %ax, %es
    xor %di, %di
    xor %si, %si
    mov $ROM_BYTES / 4, %cx
    cld
    rep movsl %cs:(%si), %es:(%di)
    ljmp $IMAGE >> 4, $(copied)
copied:
    mov %cs, %ax
    mov %ax, %ds
    xor %ax, %ax
    mov %ax, %ss
    mov $REAL_STACK, %sp
    mov $LINE_CONTROL, %dx
    mov $EIGHT_BITS, %al
    out %al, %dx
    cmpl $TRIPLE_FAULT, %ss:MARK
    je again
    call real_mode

    lgdtl gdt_register
    mov %cr0, %eax
    or $1, %eax
    mov %eax, %cr0
    ljmpl $CODE0, $protected

/* The second time: the triple fault at the end has reset the core. */
again:
    movl $0, %ss:MARK
    mov $text_again, %si
    call say_plain
1:  cli
    hlt
    jmp 1b
text_again:
    .asciz "back after a reset\n"

    .text
    .code32
protected:
    mov $DATA0, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %fs
    mov %eax, %gs
    mov %eax, %ss
    mov $main_stack_top, %esp
    mov $bss_start, %edi
    mov $bss_end, %ecx
    sub %edi, %ecx
    xor %eax, %eax
    rep stosb
    call main
1:  cli
    hlt
    jmp 1b

    .section .start
/* The first table; table.c makes the real one. real.S uses it too. */
    .balign 8
    .globl gdt_register
gdt_begin:
    .quad 0
    .quad 0x00CF9A000000FFFF
    .quad 0x00CF92000000FFFF
    .quad 0x00009A010000FFFF    /* 16-bit code at IMAGE, to leave by */
    .quad 0x000092000000FFFF    /* 64 KB of data */
gdt_register:
    .word 5 * 8 - 1
    .long IMAGE + gdt_begin

    .section .reset, "ax"
    .balign 16
    .code16
reset:
    jmp begin
    .balign 16
