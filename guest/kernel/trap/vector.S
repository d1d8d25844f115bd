/* Interrupt and exception entry points, and the way back to the program.
 *
 * Each vector pushes a number (and a zero where the processor pushes no
 * error code) and joins trap_entry, which completes struct trapframe.
 */
#include "layout.h"

        .text
        .set vector, 0
        .altmacro
        .macro entry number
vector_\number:
        .if (\number == 8) || (\number >= 10 && \number <= 14) || \
            (\number == 17)
        .else
        pushl $0
        .endif
        pushl $\number
        jmp trap_entry
        .endm

        .rept VECTORS
        entry %vector
        .set vector, vector + 1
        .endr

        .globl vector_syscall
vector_syscall:
        pushl $0
        pushl $VECTOR_SYSCALL

trap_entry:
        pushl %ds
        pushl %es
        pushl %fs
        pushl %gs
        pushal
        movl $KERNEL_DS, %eax
        movw %ax, %ds
        movw %ax, %es
        cld
        /* A back trace of the kernel ends here, not in the program. */
        xorl %ebp, %ebp
        pushl %esp
        call trap
        addl $4, %esp

        .globl trap_return
trap_return:
        popal
        /* A selector that is no good any more faults here: trap.c knows. */
        .globl trap_pop_gs, trap_pop_fs, trap_pop_es, trap_pop_ds, trap_iret
trap_pop_gs:
        popl %gs
trap_pop_fs:
        popl %fs
trap_pop_es:
        popl %es
trap_pop_ds:
        popl %ds
        addl $8, %esp                   /* vector and error code */
trap_iret:
        iret

/* void user_enter(struct trapframe *): the first way into the program. */
        .globl user_enter
user_enter:
        movl 4(%esp), %esp
        jmp trap_return

        .section .rodata
        .balign 4
        .globl vector_table
vector_table:
        .macro address number
        .long vector_\number
        .endm
        .set vector, 0
        .rept VECTORS
        address %vector
        .set vector, vector + 1
        .endr
