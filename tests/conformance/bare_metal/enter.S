/*
 * enter.S: from the reset vector into a kernel of Linux's 32-bit boot
 * protocol: flat protected mode, interrupts off, caches on, ESI at the boot
 * parameters. run_kernels.py puts parameters and kernel where this expects.
 */
#define PARAMETERS 0x90000
#define KERNEL 0x100000
#define CACHES_ON 0x9FFFFFFF    /* CR0 without CD and NW */

    .code16
    .text
real:
    lgdtl %cs:(gdt_register - real)
    mov %cr0, %eax
    or $1, %eax
    and $CACHES_ON, %eax
    mov %eax, %cr0
    ljmpl $0x10, $protected
    .code32
protected:
    mov $0x18, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %fs
    mov %eax, %gs
    mov %eax, %ss
    mov $PARAMETERS, %esp
    mov $PARAMETERS, %esi
    xor %ebp, %ebp
    xor %edi, %edi
    xor %ebx, %ebx
    mov $KERNEL, %eax
    jmp *%eax
    .align 8
gdt:
    .quad 0, 0
    .quad 0x00CF9A000000FFFF
    .quad 0x00CF92000000FFFF
gdt_register:
    .word 4 * 8 - 1
    .long gdt
    .section .reset, "ax"
    .code16
    jmp real
