/*
 * linux.S: the entry of a kernel of Linux's 32-bit boot protocol. What the
 * protocol promises of the registers is kept before anything changes it:
 * main(params, flags, cr0, sum of EBP, EDI and EBX, selectors).
 */
    .section .start, "ax"
    .globl start
start:
    mov %cr0, %eax
    or %ebp, %ebx
    or %edi, %ebx
    xor %ecx, %ecx
    mov %cs, %cx
    shl $16, %ecx
    mov %ds, %cx
    lea stack_top, %esp         /* SS is flat, or this shows nothing */
    pushf
    pop %edx
    push %ecx
    push %ebx
    push %eax
    push %edx
    push %esi
    call main
1:  hlt
    jmp 1b

    .bss
    .align 16
    .skip 4096
stack_top:
