/*
 * start.S: the entry of the small kernels, their segments, and the stubs of
 * their interrupts. main(magic, info) runs with interrupts off; a core whose
 * main returns halts for good.
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

    .globl enter_lint0
enter_lint0:
    pusha
    cld
    call on_lint0
    popa
    iret

    .weak on_lint0
on_lint0:
    ret

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
    .align 16
    .skip 4096
stack_top:
