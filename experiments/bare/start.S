/*
 * start.S: multiboot entry, flat segments, a stack. main(magic, info) runs
 * with paging and interrupts off; a core whose main returns halts for good.
 */
    .section .boot, "ax"
    .align 4
    .long 0x1BADB002            /* multiboot: magic, flags, checksum */
    .long 3
    .long -(0x1BADB002 + 3)

    .globl start
start:
    mov $stack_top, %esp
    lgdt gdt_register
    ljmp $8, $1f
1:  mov $16, %ecx
    mov %ecx, %ds
    mov %ecx, %es
    mov %ecx, %ss
    push %ebx
    push %eax
    call main
    cli
2:  hlt
    jmp 2b

    .data
    .align 8
gdt:
    .quad 0
    .quad 0x00CF9A000000FFFF    /* flat code */
    .quad 0x00CF92000000FFFF    /* flat data */
gdt_register:
    .word 3 * 8 - 1
    .long gdt

    .bss
    .align 4096
    .skip 16384
stack_top:
