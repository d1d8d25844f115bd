/*
 * vector.S: into the kernel and out of it.
 *
 * From ring 3 the processor pushes onto the end of the thread's registers
 * (ESP0), and the rest is pushed there too; C runs on the kernel's stack.
 * DS and ES are the flat segment of ring 3 in kernel and programs alike, and
 * every entry makes sure of it.
 */
#include "kernel/layout.h"

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
    mov $USER_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    cld
    mov %esp, %eax
    xor %ebp, %ebp
    mov $kernel_stack_top, %esp
    push %eax
    call trap
    ud2

/* resume(thread): the way out, for a thread of any state of the machine. */
    .globl resume
resume:
    mov 4(%esp), %edi
    lea THREAD_FRAME(%edi), %eax
    mov %eax, task_state + 4
    mov THREAD_CR3(%edi), %ecx
    cmp %ecx, loaded_space
    je 1f
    mov %ecx, loaded_space
    mov %ecx, %cr3
1:  mov THREAD_TLS(%edi), %eax
    mov THREAD_TLS + 4(%edi), %ecx
    mov %eax, descriptors + (USER_TLS & ~7)
    mov %ecx, descriptors + (USER_TLS & ~7) + 4
    xor %eax, %eax
    test %ecx, %ecx
    je 2f
    mov $USER_TLS, %eax
2:  mov %eax, %gs
    xor %eax, %eax
    mov %eax, %fs
    xor %ecx, %ecx
    cmp %edi, x87_owner
    sete %cl
    cmp %ecx, x87_open
    jne 4f
3:  mov %edi, %esp
    popa
    add $8, %esp                /* vector and error code */
    iret

/* TS: the next x87 instruction asks for the registers first. */
4:  mov %ecx, x87_open
    mov %cr0, %eax
    or $CR0_TS, %eax
    test %ecx, %ecx
    jz 5f
    and $~CR0_TS, %eax
5:  mov %eax, %cr0
    jmp 3b

    .section .data.hot, "aw"
    .balign 4
    .globl loaded_space, x87_open
loaded_space:                   /* CR3 holds it; reading CR3 costs more */
    .long 0
x87_open:                       /* 1 while CR0.TS is clear */
    .long 1
