/*
 * vector.S: into the kernel and out of it, and from process to process.
 */
#include "layout.h"

/* The vectors for which the processor pushes an error code. */
#define WITH_ERROR 0x27D00

    .text
    .balign 16
    .globl vectors
vectors:
    .set number, 0
    .rept VECTORS
    .balign 16
    .set coded, 0
    .if number < 18
    .set coded, (WITH_ERROR >> number) & 1
    .endif
    .if coded == 0
    push $0
    .endif
    push $number
    jmp enter
    .set number, number + 1
    .endr

enter:
    pusha
    push %ds
    push %es
    push %fs
    push %gs
    mov $KERNEL_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    cld
    push %esp                   /* the argument: struct trapframe */
    call trap
    add $4, %esp

/* A new process begins here, with a trapframe on its stack. */
    .globl trap_return
trap_return:
    pop %gs
    pop %fs
    pop %es
    pop %ds
    popa
    add $8, %esp                /* vector and error code */
    iret

/* switch_stacks(save, load): another process goes on where it called this;
 * the C compiler expects only these four registers to survive. */
    .globl switch_stacks
switch_stacks:
    mov 4(%esp), %eax
    mov 8(%esp), %edx
    push %ebp
    push %ebx
    push %esi
    push %edi
    mov %esp, (%eax)
    mov %edx, %esp
    pop %edi
    pop %esi
    pop %ebx
    pop %ebp
    ret

/* Nobody can run: sleep until the timer has been served. STI takes effect
 * behind HLT, so no interrupt is missed between the two. */
    .globl idle
idle:
    sti
    hlt
    cli
    ret
