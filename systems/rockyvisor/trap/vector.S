/*
 * vector.S: into the hypervisor and out of it.
 *
 * From the guest the processor pushes onto the end of the virtual processor's
 * frame (ESP0), and the rest is pushed there too; C runs on the hypervisor's
 * stack. From the hypervisor itself come the faults of copy_or_fail, of
 * segment registers that are loaded on the way out, and, at any time, a mail.
 */
#include "hypercalls.h"
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
    .if number == VECTOR_PROTECTION
    jmp protection
    .elseif number == HYPERCALL_CLI
    jmp call_cli
    .elseif number == HYPERCALL_STI
    jmp call_sti
    .else
    push $number
    jmp enter
    .endif
    .set number, number + 1
    .endr

/* The guest's IF becomes that of EAX, unless something is to be done besides. */
    .macro set_if_or otherwise
    cmpl $0, %ss:mail_waits
    jne \otherwise
    test %eax, %eax
    jz 1f
    cmpl $0, %ss:sti_is_short
    je \otherwise
1:  decl %ss:short_left
    jle \otherwise
    andl $~FLAG_IF, 16(%esp)
    orl %eax, 16(%esp)
    .endm

/* CLI and STI of ring 1, which are most of its traps, without leaving
 * assembly: nothing is saved but EAX. One in SHORT_TRAPS takes the long way, and
 * so does an STI for which something waits, before HLT, or at the end of a page. A mail that comes up to
 * short_leave is seen behind it, and a later one is served by its NMI: the next
 * trap may never come. */
    .globl short_leave, short_end
protection:
    push %eax                   /* EAX, error code, EIP, CS, EFLAGS */
    cmpl $0, 4(%esp)
    jne 4f
    testl $(FLAG_VM | FLAG_TF), 16(%esp)
    jnz 4f
    mov 12(%esp), %eax
    and $3, %eax
    cmp $1, %eax
    jne 4f
    mov 8(%esp), %eax
    cmpb $OP_CLI, %cs:(%eax)
    je short_leave
    cmpb $OP_STI, %cs:(%eax)
    jne 4f
    lea 1(%eax), %eax
    test $PAGE - 1, %eax
    jz 4f
    cmpb $OP_HLT, %cs:(%eax)
    je 4f
    mov $FLAG_IF, %eax
    jmp 3f
short_leave:
    xor %eax, %eax
3:  set_if_or 4f
    incl 8(%esp)
    pop %eax
    add $4, %esp
    iret

/* CLI and STI of a guest that calls, which need not be decoded. */
    .macro call_for number, value
    push %eax
    mov $\value, %eax
    testl $FLAG_TF, 16(%esp)
    jnz 2f
    set_if_or 2f
    pop %eax
    add $4, %esp
    iret
2:  pop %eax
    push $\number
    jmp enter
    .endm

call_cli:
    call_for HYPERCALL_CLI, 0
call_sti:
    call_for HYPERCALL_STI, FLAG_IF
short_end:
4:  pop %eax
    push $VECTOR_PROTECTION

enter:
    testl $FLAG_VM, 16(%esp)
    jnz 1f
    testb $3, 12(%esp)
    jz inner
1:  pusha
    push %ds
    push %es
    push %fs
    push %gs
    mov $VISOR_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    cld
    mov $visor_stack_top, %esp
    xor %ebp, %ebp
    call trap

/* The way out, of any virtual processor that runs now. */
    .globl resume
resume:
    mov $visor_stack_top, %esp
    call before_guest
    .globl leave_begin, leave_end
leave_begin:                    /* from here on a mail is taken by its NMI */
    cmpl $0, mail_waits
    jne resume
    mov current, %edi
    lea FRAME_END(%edi), %eax
    testl $FLAG_VM, FRAME_FLAGS(%edi)
    jz 1f
    lea FRAME_V86_END(%edi), %eax
1:  mov %eax, task_state + 4
    lea FRAME(%edi), %esp
    pop %gs
    pop %fs
    pop %es
    pop %ds
    popa
    add $8, %esp
leave_return:
    iret
leave_end:

/* The guest cannot return to where its frame says. */
bad_return:
    mov $visor_stack_top, %esp
    push %ebx
    call return_failed
    jmp resume

inner:
    pusha
    push %ds
    push %es
    mov $VISOR_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    cld
    mov %esp, %ebx
    cmpl $VECTOR_NMI, 40(%esp)
    jne 1f
    mov $nmi_stack_top, %esp
    jmp 2f
1:  cmpl $leave_return, 48(%esp)
    je bad_return
2:  push %ebx
    call inner_trap
    mov %ebx, %esp
    pop %es
    pop %ds
    popa
    add $8, %esp
    iret

/* u32 copy_or_fail(to, from, bytes): 0, or 1 after a fault that is the
 * guest's own. */
    .globl copy_or_fail, copy_begin, copy_failed
copy_or_fail:
    push %esi
    push %edi
    mov 12(%esp), %edi
    mov 16(%esp), %esi
    mov 20(%esp), %ecx
    cmp $4, %ecx
    jne 2f
copy_begin:
    mov (%esi), %eax            /* most are a word */
    mov %eax, (%edi)
    jmp 3f
2:  shr $2, %ecx
    rep movsl
    mov 20(%esp), %ecx
    and $3, %ecx
    rep movsb
3:  xor %eax, %eax
    jmp 4f
copy_failed:
    mov $1, %eax
4:  pop %edi
    pop %esi
    ret

/* Sleeps until an interrupt or a mail; either goes on behind. A mail that comes
 * between the comparison and the sleep must not be slept through. */
    .globl idle, idle_begin, idle_end
idle:
idle_begin:
    cmpl $0, mail_waits
    jne idle_end
    sti
    hlt
idle_end:
    cli
    ret

    .bss
    .balign 16
    .skip PAGE
nmi_stack_top:
