/*
 * real.S: real-address mode.
 *
 * Developer's Manual vol. 3, chapter 9 (real-address mode: exceptions 9.6,
 * differences from the 8086 9.8), 10.1 (state after reset), 14.9 (which
 * exceptions are faults). Handlers of real mode get no error code.
 *
 * check TEXT, CODE: writes TEXT, runs CODE, writes "ok AX", or the vector
 * and the offset of the saved IP from the beginning of CODE.
 */
#include "layout.h"

#define LINE_STATUS (COM1 + 5)
#define THR_EMPTY 0x20
#define VECTORS_16 32

    /* For the arguments of check, which the preprocessor leaves alone. */
    .set real_stack, REAL_STACK

    .macro check text, code
    .pushsection .real.data, "aw"
text\@:
    .asciz "\text"
    .popsection
    mov $(text\@), %si
    call say
    movw $(after\@), %cs:resume
    movw $(start\@), %cs:started
    mov %sp, %cs:stack
    xor %ax, %ax
start\@:
    \code
    call say_ok
after\@:
    .endm

    .section .real, "awx"
    .code16
    .globl real_mode
real_mode:
    pop returns
    mov %ebx, value
    mov $(text_cr0), %si
    call say_value
    mov %ebp, %eax              /* family of the signature */
    shr $8, %eax
    and $15, %eax
    mov %eax, value
    mov $(text_family), %si
    call say_value
    call fill_vectors

    /* 9.6: an operand beyond FFFF is #GP, of the stack #SS. */
    check "real byte at ffff", "mov 0xFFFF, %al; mov $1, %ax"
    check "real word at ffff", "mov 0xFFFF, %ax"
    check "real write word at ffff", "mov %ax, 0xFFFF"
    check "real dword at fffd", "mov 0xFFFD, %eax"
    check "real stack word at ffff", "mov $0xFFFF, %bp; mov (%bp), %ax"
    check "real push wraps", "mov $0, %sp; push %ax; mov %sp, %ax; mov $real_stack, %sp"
    check "real esp above ffff", "mov $0x17000, %esp; push %ax; mov %esp, %eax; shr $16, %eax; mov $real_stack, %esp"
    check "real jump beyond ffff", "mov $0x10000, %eax; jmpl *%eax"
    check "real string at ffff", "mov $0xFFFF, %si; lodsw"

    /* 14.9: faults save the address of the instruction, traps of the next. */
    check "real divide by zero", "div %al"
    check "real int3", "int3"
    check "real into", "mov $0x7F, %al; inc %al; into"
    check "real bound", "bound %ax, limits"
    check "real ud", ".byte 0x0F, 0x0B"
    check "real lock nop", "lock; nop"
    check "real arpl", ".byte 0x63, 0xC0"
    check "real sldt", "sldt %ax"
    check "real lldt", "lldt %ax"
    check "real ltr", "ltr %ax"
    check "real verr", "verr %ax"
    check "real lar", "lar %ax, %ax"
    check "real 16 bytes", ".fill 15, 1, 0x2E; nop"
    check "real mov to cs", ".byte 0x8E, 0xC8"
    check "real les register", ".byte 0xC4, 0xC0"

    /* 10.1: MSW; 9.1: no privilege, so the flags are all free. Bit 15 stays
     * zero, bit 1 one; VM and RF cannot be set. */
    check "real smsw", "smsw %ax"
    check "real flags", "push $0xFCFF; popf; pushf; pop %ax; push $2; popf"
    check "real eflags low", "pushl $0x003FFCD7; popfl; pushfl; pop %ax; pop %dx; pushl $2; popfl"
    check "real eflags high", "pushl $0x003FFCD7; popfl; pushfl; pop %dx; pop %ax; pushl $2; popfl"

    /* 9.4: INT pushes FLAGS, CS, IP of 16 bits. */
    check "real int frame", "int $30"
    check "real int flags", "push $0x7002; popf; int $31; push $2; popf"
    /* 17.3.1.4: the trap comes after the instruction that follows POPF. */
    check "real single step", "push $0x102; popf; nop; nop"

    /* 9.2: there is no wrap at 1 MB as on an 8086. */
    check "real address 100000", "call high_memory"
    call enter_unreal
    /* The hidden part of a segment register changes only when loaded, and in
     * real mode a load changes the base alone. */
    check "unreal read", "mov $0x110000, %esi; mov (%esi), %ax"
    check "unreal after load", "mov %cs, %ax; mov %ax, %ds; mov $0x100000, %esi; mov (%esi), %ax"
    check "unreal other segment", "xor %ax, %ax; mov $0x110000, %esi; mov %es:(%esi), %ax"
    mov %cs, %ax
    mov %ax, %ds
    jmp *returns

/* Words at 100010 and at 10 differ. */
high_memory:
    push %ds
    mov $0xFFFF, %ax
    mov %ax, %ds
    movw $0x1234, 0x20
    movw $0x5678, %ss:0x10
    mov 0x20, %ax
    pop %ds
    ret

/* DS gets a limit of 4 GB, ES one of 64 KB; 110000 gets a value. */
enter_unreal:
    lgdtl gdt_register
    mov %cr0, %eax
    or $1, %al
    mov %eax, %cr0
    ljmp $0x18, $(1f)
1:  mov $DATA0, %bx
    mov %bx, %ds
    movw $0x4321, 0x110000
    mov $0x20, %bx
    mov %bx, %es
    and $0xFE, %al
    mov %eax, %cr0
    ljmp $IMAGE >> 4, $(2f)
2:  xor %ax, %ax
    mov %ax, %ds
    mov %ax, %es
    mov $0x110000, %esi
    movw $0x4321, (%esi)
    ret

/* The vector table at 0: each vector to its stub. */
fill_vectors:
    xor %ax, %ax
    mov %ax, %es
    xor %di, %di
    mov $(stubs), %ax
    mov $VECTORS_16, %cx
1:  stosw
    movw $IMAGE >> 4, %es:(%di)
    add $2, %di
    add $6, %ax
    loop 1b
    movw $(frame_handler), %es:30 * 4
    movw $(flags_handler), %es:31 * 4
    ret

frame_handler:                  /* bytes that INT has pushed */
    mov %cs:stack, %ax
    sub %sp, %ax
    iret

flags_handler:                  /* NT and IOPL stay, IF and TF go */
    pushf
    pop %ax
    iret

stubs:
    .set number, 0
    .rept VECTORS_16
    push $number
    .byte 0xE9
    .word caught - (. + 2)
    nop
    .set number, number + 1
    .endr

/* Vector and IP are on the stack. */
caught:
    mov $IMAGE >> 4, %ax
    mov %ax, %ds
    pop %ax
    pop %bx
    mov stack, %cx
    xor %dx, %dx
    mov %dx, %ss
    mov %cx, %sp
    push $2
    popf
    push %bx
    push %ax
    mov $'#', %al
    call put
    pop %ax
    mov $2, %cx
    call digits
    mov $' ', %al
    call put
    mov $'+', %al
    call put
    pop %ax
    sub started, %ax
    mov $2, %cx
    call digits
    call new_line
    jmp *resume

say_ok:
    push %ax
    mov $(text_ok), %si
    call say_plain
    pop %ax
    mov $4, %cx
    call digits
    jmp new_line

say_value:
    call say
    mov value + 2, %ax
    mov $4, %cx
    call digits
    mov value, %ax
    mov $4, %cx
    call digits
new_line:
    mov $10, %al
    jmp put

/* Text at CS:SI and ": ". */
say:
    call say_plain
    mov $(text_colon), %si
    .globl say_plain
say_plain:
    cld
    lodsb %cs:(%si)
    test %al, %al
    jz 1f
    call put
    jmp say_plain
1:  ret

/* The low CX digits of AX. */
digits:
    shl $2, %cx
1:  sub $4, %cx
    push %ax
    shr %cl, %ax
    and $15, %al
    add $'0', %al
    cmp $'9', %al
    jbe 2f
    add $'a' - '9' - 1, %al
2:  call put
    pop %ax
    test %cx, %cx
    jnz 1b
    ret

put:
    push %dx
    push %ax
    mov $LINE_STATUS, %dx
1:  in %dx, %al
    test $THR_EMPTY, %al
    jz 1b
    pop %ax
    mov $COM1, %dx
    out %al, %dx
    pop %dx
    ret

    .section .real.data, "aw"
text_cr0:
    .asciz "cr0 at reset"
text_family:
    .asciz "family"
text_ok:
    .asciz "ok "
text_colon:
    .asciz ": "
limits:
    .word 1, 2

returns:
    .word 0
resume:
    .word 0
started:
    .word 0
stack:
    .word 0
value:
    .long 0
