/*
 * reset.S: a raw image for the reset vector. The core says r in real mode
 * and p in protected mode; core 0 then releases core 1 of its tile, which
 * comes the same way.
 */
#define COM1 0x3F8
#define TILEID 0xF8000100
#define GCBCFG 0xF8000080
#define HOLD_CORE1 0xA          /* core 1 and its L2 */

    .code16
    .text
real:
    mov $COM1, %dx
    mov $'r', %al
    out %al, (%dx)
    lgdtl %cs:(gdt_register - real)
    mov %cr0, %eax
    or $1, %eax
    mov %eax, %cr0
    ljmpl $8, $protected

    .code32
protected:
    mov $16, %eax
    mov %eax, %ds
    mov $'p', %al
    out %al, (%dx)
    mov TILEID, %eax
    and $7, %eax
    jnz 1f
    mov GCBCFG, %eax
    and $~HOLD_CORE1, %eax
    mov %eax, GCBCFG
1:  cli
    hlt
    jmp 1b

    .align 8
gdt:
    .quad 0
    .quad 0x00CF9A000000FFFF    /* flat code */
    .quad 0x00CF92000000FFFF    /* flat data */
gdt_register:
    .word 3 * 8 - 1
    .long gdt

    .section .reset, "ax"
    .code16
    jmp real
