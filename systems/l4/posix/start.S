/* start.S: the first instruction of the server, and its stack, whose end has
 * the name that our ordinary kernel gives to its own. */
#include "memory/layout.h"

    .section .text.start, "ax"
    .globl _start
_start:
    mov $kernel_stack_top, %esp
    xor %ebp, %ebp
    call main

    .section .data.stack, "aw"
    .balign 4096
    .fill KERNEL_STACK_SIZE, 1, 0
    .globl kernel_stack_top
kernel_stack_top:
