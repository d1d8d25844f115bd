/*
 * vector.S: from a test into a snippet and back.
 *
 * enter() goes to the snippet by IRET; the interrupt that ends it leads to
 * trap() in outcome.c, and leave() returns from enter() whatever the snippet
 * has done to segments, stack and flags.
 */
#include "common/trap_entry.inc"
#include "layout.h"

    .text
/* enter(ring, code) */
    .globl enter
enter:
    push %ebp
    push %ebx
    push %esi
    push %edi
    mov 20(%esp), %eax
    mov 24(%esp), %edx
    mov %esp, resume_esp
    test %eax, %eax
    jz 1f
    mov %eax, %ecx
    shl $4, %ecx
    lea DATA0(%ecx,%eax), %ecx
    push %ecx                   /* SS of the ring */
    pushl $ring_stack_top
    pushl in + 24               /* EFLAGS */
    lea CODE0 - DATA0(%ecx), %ebx
    push %ebx
    jmp 2f
1:  mov $DATA0, %ecx
    pushl in + 24
    push $CODE0
2:  push %edx
    mov %ecx, %ds
    mov %ecx, %es
    mov %ecx, %fs
    mov %ecx, %gs
    xor %eax, %eax
    mov in, %ebx
    mov in + 4, %ecx
    mov in + 8, %edx
    mov in + 12, %esi
    mov in + 16, %edi
    mov in + 20, %ebp
    iret

/* enter_virtual(ip, flags): to virtual-8086 mode at IMAGE / 16:ip, with all
 * data segments and the stack at segment 0. */
    .globl enter_virtual
enter_virtual:
    push %ebp
    push %ebx
    push %esi
    push %edi
    mov 20(%esp), %edx
    mov 24(%esp), %ecx
    mov %esp, resume_esp
    push $0                     /* GS, FS, DS, ES */
    push $0
    push $0
    push $0
    push $0                     /* SS */
    pushl $REAL_STACK
    or $0x20002, %ecx           /* VM */
    push %ecx
    push $IMAGE >> 4
    push %edx
    xor %eax, %eax
    mov in, %ebx
    mov in + 4, %ecx
    mov in + 8, %edx
    iret

    .globl leave
leave:
    mov $DATA0, %eax
    mov %eax, %ss
    mov %cs:resume_esp, %esp
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %fs
    mov %eax, %gs
    push $2
    popf
    cld
    pop %edi
    pop %esi
    pop %ebx
    pop %ebp
    ret

    .balign 16
    .globl vectors
vectors:
    vector_stubs VECTORS, common

common:
    call_trap DATA0
    return_from_trap

    .bss
    .balign 16
    .globl in
in: .skip 28
resume_esp:
    .skip 4
    .balign 16
    .skip 4096
    .globl trap_stack_top
trap_stack_top:
    .skip 16
    .balign 16
    .skip 4096
    .globl ring_stack_top
ring_stack_top:
    .skip 16
    .balign 16
    .skip 8192
    .globl main_stack_top
main_stack_top:
