/*
 * interrupt.S: a program without a kernel that interrupts its own core by
 * the pins in GLCFG0, first INTR (LINT0), then NMI (LINT1), and sleeps in
 * HLT until each arrives. The handlers write a letter to the serial port.
 *
 * Paging is off; a store to the registers misses the caches and goes out.
 */
#define GLCFG0 0xF8000010       /* own tile, core 0 */
#define QUIET 0xDF8             /* active-low pins high, INTR and NMI low */
#define INTR 2
#define NMI 1
#define APIC_EOI 0xFEE000B0
#define APIC_SPURIOUS 0xFEE000F0
#define APIC_LINT0 0xFEE00350
#define APIC_LINT1 0xFEE00360
#define COM1 0x3F8

    .section .boot, "ax"
    .align 4
    .long 0x1BADB002            /* multiboot: magic, flags, checksum */
    .long 0
    .long -0x1BADB002

    .globl start
start:
    lgdt gdt_register
    ljmp $8, $1f
1:  mov $16, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov $stack_top, %esp
    mov $letter_i, %eax
    mov $idt + 8 * 0x30, %edi
    call set_gate
    mov $letter_n, %eax
    mov $idt + 8 * 0x31, %edi
    call set_gate
    lidt idt_register
    movl $0x1FF, APIC_SPURIOUS  /* APIC on */
    movl $0x30, APIC_LINT0      /* fixed, edge, vector 0x30 */
    movl $0x31, APIC_LINT1
    sti
    movl $QUIET | INTR, GLCFG0
    call sleep
    movl $QUIET | NMI, GLCFG0
    call sleep
    cli
2:  hlt
    jmp 2b

/* Sleeps until a handler has run. */
sleep:
    cli
    cmpl $0, arrived
    jne 1f
    sti                         /* takes effect behind HLT */
    hlt
    jmp sleep
1:  movl $0, arrived
    sti
    ret

/* Interrupt gate at edi to the handler eax. */
set_gate:
    mov %ax, (%edi)
    movw $8, 2(%edi)
    movw $0x8E00, 4(%edi)
    shr $16, %eax
    mov %ax, 6(%edi)
    ret

letter_i:
    push %eax
    mov $'i', %al
    jmp tell
letter_n:
    push %eax
    mov $'n', %al
tell:
    push %edx
    mov $COM1, %edx
    out %al, (%dx)
    movl $QUIET, GLCFG0         /* the pin is low again */
    movl $0, APIC_EOI
    movl $1, arrived
    pop %edx
    pop %eax
    iret

    .data
    .align 8
gdt:
    .quad 0
    .quad 0x00CF9A000000FFFF    /* flat code */
    .quad 0x00CF92000000FFFF    /* flat data */
gdt_register:
    .word 3 * 8 - 1
    .long gdt
idt_register:
    .word 0x32 * 8 - 1
    .long idt
    .align 8
idt:
    .fill 0x32, 8, 0
arrived:
    .long 0
    .fill 1024, 1, 0
stack_top:
