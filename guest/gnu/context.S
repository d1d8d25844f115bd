/*
 * context.S: getcontext, setcontext and swapcontext: the registers that a call
 * keeps, the x87's control word and the mask of signals, in the C library's
 * ucontext_t.
 */
#define EDI 36
#define ESI 40
#define EBP 44
#define ESP 48
#define EBX 52
#define EAX 64
#define EIP 76
#define MASK 108
#define X87 236
#define SIG_BLOCK 0
#define SIG_SETMASK 2

/* Into the context at ECX, as they are behind the call; uses EAX. */
.macro keep_registers
    mov %edi, EDI(%ecx)
    mov %esi, ESI(%ecx)
    mov %ebp, EBP(%ecx)
    mov %ebx, EBX(%ecx)
    lea 4(%esp), %eax
    mov %eax, ESP(%ecx)
    mov (%esp), %eax
    mov %eax, EIP(%ecx)
    movl $0, EAX(%ecx)
    fnstcw X87(%ecx)
.endm

/* Calls sigprocmask(how, new, old), with the stack where calls want it. */
.macro signal_mask how, new, old
    push \old
    push \new
    push \how
    call sigprocmask
    add $12, %esp
.endm

    .text
    .globl getcontext
    .type getcontext, @function
getcontext:
    mov 4(%esp), %ecx
    keep_registers
    lea MASK(%ecx), %eax
    signal_mask $SIG_BLOCK, $0, %eax
    xor %eax, %eax
    ret

    .globl swapcontext
    .type swapcontext, @function
swapcontext:
    mov 4(%esp), %ecx
    keep_registers
    lea MASK(%ecx), %eax
    signal_mask $SIG_BLOCK, $0, %eax
    mov 8(%esp), %eax
    mov %eax, 4(%esp) /* the argument of setcontext, which follows */

    .globl setcontext
    .type setcontext, @function
setcontext:
    mov 4(%esp), %eax
    add $MASK, %eax
    signal_mask $SIG_SETMASK, %eax, $0
    mov 4(%esp), %ecx
    fldcw X87(%ecx)
    mov EDI(%ecx), %edi
    mov ESI(%ecx), %esi
    mov EBP(%ecx), %ebp
    mov EBX(%ecx), %ebx
    mov EAX(%ecx), %eax
    mov ESP(%ecx), %esp
    jmp *EIP(%ecx)

/* Where a function that makecontext has begun returns to: EBX has the context
 * that follows, or null: the program ends. */
    .globl _rck_context_end
    .hidden _rck_context_end
    .type _rck_context_end, @function
_rck_context_end:
    and $-16, %esp
    sub $12, %esp
    push %ebx
    test %ebx, %ebx
    jz 1f
    call setcontext
1:  movl $0, (%esp)
    call exit

    .section .note.GNU-stack, "", @progbits
