/* start.S: the first instruction of a program; its stack lies in its image. */
    .section .text.start, "ax"
    .globl _start
_start:
    mov $stack_top, %esp
    xor %ebp, %ebp
    call main
    push %eax
    call halt

    .section .data.stack, "aw"
    .balign 4096
    .globl stack
stack:
    .fill 8192, 1, 0
stack_top:
