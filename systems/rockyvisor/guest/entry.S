/* entry.S: the guest's start, on its first processor and on others; its
 * vectors. */
#include "common/trap_entry.inc"
#include "guest/guest_asm.h"

    .section .multiboot, "a"
    .balign 4
    .long 0x1BADB002
    .long 3
    .long -(0x1BADB002 + 3)

    .text
    .globl guest_entry
guest_entry:
    cli
    cld
    lgdt gdt_pointer
    ljmp $KERNEL_CODE, $1f
1:  mov $KERNEL_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov $stacks + STACK, %esp
    push $0
    push %ebx
    call guest_main
2:  hlt
    jmp 2b

/* Other processors begin here, at 8000h, in 16-bit code. */
    .balign 16
    .globl trampoline, trampoline_end
    .code16
trampoline:
    .byte 0xFA                  /* CLI itself: no INT in real mode */
    mov %cs, %ax
    mov %ax, %ds
    lidtl trampoline_idt - trampoline
    lgdtl trampoline_gdt - trampoline
    mov $1, %ax
    lmsw %ax
    ljmpl $KERNEL_CODE, $other_entry
    .balign 4
trampoline_idt:
    .word 0
    .long 0
trampoline_gdt:
    .word 8 * GDT_ENTRIES - 1
    .long gdt
trampoline_end:
    .code32

/* Each takes the next stack. */
other_entry:
    mov $KERNEL_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov next_processor, %ebx
    mov %ebx, %eax
    shl $13, %eax
    lea stacks + STACK(%eax), %esp
    push %ebx
    call other_main
3:  hlt
    jmp 3b

    .balign 16
    .globl vectors
vectors:
    vector_stubs VECTORS, enter

enter:
    pusha
    mov $KERNEL_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    push %esp
    call interrupt
    add $4, %esp
    mov $USER_DATA, %ecx
    mov 44(%esp), %eax
    and $3, %eax
    cmp $3, %eax
    jne 4f
    mov %ecx, %ds
    mov %ecx, %es
4:  popa
    add $8, %esp
    iret

/* enter_user(eip, esp); the program's last system call comes back here. */
    .globl enter_user, leave_user
enter_user:
    pusha
    call save_stack
    mov 36(%esp), %eax
    mov 40(%esp), %ecx
    mov $USER_DATA, %edx
    mov %edx, %ds
    mov %edx, %es
    push %edx
    push %ecx
    push $0x202
    push $USER_CODE
    push %eax
    iret
save_stack:                     /* ESP, to where user_stack() says */
    call user_stack
    lea 4(%esp), %ecx
    mov %ecx, (%eax)
    ret
leave_user:
    mov 4(%esp), %esp
    popa
    ret

/* probe(address): 0; 1 after a page fault. */
    .globl probe, probe_at, probe_failed
probe:
    mov 4(%esp), %eax
probe_at:
    mov (%eax), %eax
    xor %eax, %eax
    ret
probe_failed:
    xor %ecx, %ecx
    mov %ecx, %gs
    mov $1, %eax
    ret

/* probe_segment(selector, offset): 0; 1 if it cannot be loaded or read. */
    .globl probe_segment, probe_segment_end, load_gdt
probe_segment:
    mov 4(%esp), %eax
    mov %eax, %gs
    mov 8(%esp), %eax
    mov %gs:(%eax), %eax
probe_segment_end:
    xor %eax, %eax
    mov %eax, %gs
    ret

/* probe_return(eip, cs, ss, esp) by IRET: what the handler puts into EAX, which
 * goes on at probe_returned. */
    .globl probe_return, probe_returned
probe_return:
    push %ebp
    mov %esp, %ebp
    push 16(%ebp)
    push 20(%ebp)
    push $2
    push 12(%ebp)
    push 8(%ebp)
    iret
probe_returned:
    mov %ebp, %esp
    pop %ebp
    ret

load_gdt:
    lgdt gdt_pointer
    ret

    .data
    .balign 8
    .globl gdt, next_processor
gdt:
    .quad 0
    .quad 0
    .quad 0x00CF9A000000FFFF
    .quad 0x00CF92000000FFFF
    .quad 0x00CFFA000000FFFF
    .quad 0x00CFF2000000FFFF
    .fill GDT_ENTRIES - 6, 8, 0
gdt_pointer:
    .word 8 * GDT_ENTRIES - 1
    .long gdt
next_processor:
    .long 0

    .bss
    .balign 4096
    .globl stacks
stacks:
    .skip STACK * 48

/* What runs in ring 3: sums, and asks the kernel for its number. */
    .section .user, "ax"
    .globl user_program
user_program:
    mov $10, %ecx
    xor %esi, %esi
5:  mov $1, %eax                /* the number of this processor */
    int $0x80
    add %ecx, %esi
    push %esi
    pop %edx
    loop 5b
    mov %esi, %ebx
    xor %eax, %eax              /* the end */
    int $0x80
    ud2
