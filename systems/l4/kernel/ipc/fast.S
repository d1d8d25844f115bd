/*
 * fast.S: the short way of an invocation: a call of a gate whose thread
 * waits, and the reply to it, with words only, when nobody else must run.
 *
 * The processor leaves ESP at THREAD_EIP of the thread that runs. EBP is the
 * pointer to the other one: it addresses through SS, as ESP does. Whatever
 * does not fit goes the long way with all registers as they were.
 */
#include "kernel/layout.h"

#define OWN(field) (field - THREAD_EIP)(%esp)
#define GATE_TO_SEND ((L4_RIGHT_SEND << 16) | L4_KIND_GATE)

    .section .text.hot, "ax"
    .balign 32
    .globl invoke_entry
invoke_entry:
    mov %ebp, OWN(THREAD_EBP)
    mov $USER_DATA, %ebp
    mov %eax, OWN(THREAD_EAX)
    mov %edx, OWN(THREAD_EDX)
    mov %ebp, %ds
    mov %ebp, %es
    cmp $(L4_FOREVER | L4_CALL), %edx
    jne maybe_reply
    cmp $SLOTS, %eax
    jae long_way
    shl $5, %eax                /* SLOT_BYTES */
    mov OWN(THREAD_SLOTS), %ebp
    add %eax, %ebp
    mov SLOT_KIND(%ebp), %eax
    mov SLOT_BADGE(%ebp), %edx
    and $((L4_RIGHT_SEND << 16) | 0xFFFF), %eax
    mov SLOT_OBJECT(%ebp), %ebp
    cmp $GATE_TO_SEND, %eax
    jne long_way
    mov GATE_THREAD(%ebp), %ebp
    test %ebp, %ebp
    jz long_way
    cmpl $STATE_RECEIVING, THREAD_STATE(%ebp)
    jne long_way
    mov THREAD_CALLER(%ebp), %eax
    test %eax, %eax
    jnz long_way
    mov THREAD_PRIORITY(%ebp), %eax
    cmp ready_highest, %eax
    jl long_way
    mov %ecx, %eax
    and $(L4_ITEMS | L4_WORDS), %eax
    cmp $3, %eax
    ja call_words
call_goes:
    lea -THREAD_EIP(%esp), %eax
    incl OWN(THREAD_CALLS)
    mov %eax, THREAD_CALLER(%ebp)
    movl $STATE_CALLING, OWN(THREAD_STATE)
    mov %ebp, OWN(THREAD_PARTNER)

switch:
    movl $STATE_READY, THREAD_STATE(%ebp)
    mov %ebp, current
    lea THREAD_FRAME(%ebp), %eax
    mov %eax, task_state + 4    /* ESP0 */
    mov x87_owner, %eax
    test %eax, %eax
    jnz switch_x87
switch_segment:
    mov THREAD_TLS + 4(%ebp), %eax
    test %eax, %eax
    jnz switch_tls
switch_space:
    mov THREAD_CR3(%ebp), %eax
    cmp OWN(THREAD_CR3), %eax
    je 1f
    mov %eax, loaded_space
    mov %eax, %cr3
1:  lea THREAD_EIP(%ebp), %esp
switched:                       /* where rck sees who is called */
    xor %eax, %eax              /* L4_OK */
    mov THREAD_EBP(%ebp), %ebp
    iret

maybe_reply:
    cmp $(L4_FOREVER | L4_REPLY_WAIT), %edx
    jne long_way
    mov OWN(THREAD_CALLER), %ebp
    test %ebp, %ebp
    jz long_way
    mov OWN(THREAD_PENDING), %eax
    mov THREAD_FAULT(%ebp), %edx
    or %edx, %eax
    jnz long_way
    cmpl $STATE_CALLING, THREAD_STATE(%ebp)
    jne long_way
    mov THREAD_PRIORITY(%ebp), %eax
    cmp ready_highest, %eax
    jl long_way
    mov %ecx, %eax
    and $(L4_ITEMS | L4_WORDS), %eax
    cmp $3, %eax
    ja reply_words
reply_goes:
    xor %edx, %edx              /* a reply has no badge */
    movl $STATE_RECEIVING, OWN(THREAD_STATE)
    mov %edx, OWN(THREAD_CALLER)
    jmp switch

/* More words go from UTCB to UTCB; then on at `next`. */
    .macro copy_words next
    cmp $L4_WORDS_MAX, %eax
    ja long_way                 /* or there are items */
    mov %ecx, OWN(THREAD_ECX)
    mov %esi, OWN(THREAD_ESI)
    mov %edi, OWN(THREAD_EDI)
    mov %edx, OWN(THREAD_EDX)   /* the badge; the mode is known by now */
    mov OWN(THREAD_UTCB), %esi
    mov THREAD_UTCB(%ebp), %edi
    lea -3(%eax), %ecx
    lea (, %eax, 4), %eax
    add %edi, %eax
    add $12, %esi
    add $12, %edi
    /* A store brings no line into L1; a read does. Each line is read first. */
9:  sub $32, %eax
    cmp %edi, %eax
    mov (%eax), %edx
    ja 9b
    mov OWN(THREAD_EDX), %edx
    cld
    rep movsl
    mov OWN(THREAD_ECX), %ecx
    mov OWN(THREAD_ESI), %esi
    mov OWN(THREAD_EDI), %edi
    jmp \next
    .endm

call_words:
    copy_words call_goes
reply_words:
    copy_words reply_goes

/* EAX is who has numbers in the x87. TS is set unless that is who runs. */
switch_x87:
    cmp %ebp, %eax
    je 1f
    add $THREAD_EIP, %eax
    cmp %esp, %eax
    jne switch_segment
    mov %cr0, %eax
    or $CR0_TS, %eax
    movl $0, x87_open
    mov %eax, %cr0
    jmp switch_segment
1:  clts
    movl $1, x87_open
    jmp switch_segment

/* A segment of the thread's own, in GS. */
switch_tls:
    mov %eax, descriptors + (USER_TLS & ~7) + 4
    mov THREAD_TLS(%ebp), %eax
    mov %eax, descriptors + (USER_TLS & ~7)
    mov $USER_TLS, %eax
    mov %eax, %gs
    jmp switch_space

long_way:
    movl $L4_VECTOR, OWN(THREAD_VECTOR)
    mov %ecx, OWN(THREAD_ECX)
    mov %ebx, OWN(THREAD_EBX)
    mov %esi, OWN(THREAD_ESI)
    mov %edi, OWN(THREAD_EDI)
    lea -THREAD_EIP(%esp), %eax
    xor %ebp, %ebp
    mov $kernel_stack_top, %esp
    cld
    push %eax
    call trap
    ud2
