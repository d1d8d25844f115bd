/*
 * vector.S: into the kernel and out of it, and from process to process.
 */
#include "common/trap_entry.inc"
#include "layout.h"

    .text
    .balign 16
    .globl vectors
vectors:
    vector_stubs VECTORS, enter

enter:
    call_trap KERNEL_DATA

/* A new process begins here, with a trapframe on its stack. */
    .globl trap_return
trap_return:
    return_from_trap

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
