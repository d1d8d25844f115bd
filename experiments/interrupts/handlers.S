/*
 * handlers.S: what happens at LINT0. The handlers read the time stamp
 * first; the program that they interrupt sleeps and lets them have EAX, ECX
 * and EDX.
 */
#define APIC_EOI 0xFEE000B0

/* An echo answers at once: it sets the partner's pin, then tidies up. */
    .globl on_echo
    .align 32
on_echo:
    rdtsc
    mov %eax, first
    mov partner_pin, %ecx
    mov partner_set, %edx
    mov %edx, (%ecx)
    mov own_pin, %ecx
    mov own_clear, %edx
    mov %edx, (%ecx)
    movl $0, APIC_EOI
    incl taken
    iret

/* A plain handler: the pin low again, the end of interrupt, back. */
    .globl on_plain
    .align 32
on_plain:
    rdtsc
    mov %eax, first
    mov own_pin, %ecx
    mov (%ecx), %edx
    and $~2, %edx
    mov %edx, (%ecx)
    movl $0, APIC_EOI
    incl taken
    iret

/* A kernel's handler: it saves the registers of what it interrupts, and
 * changes the pins' register under the core's lock, as everybody does who
 * changes it. */
    .globl on_guarded
    .align 32
on_guarded:
    rdtsc
    mov %eax, first
    pushal
    push %ds
    push %es
    push %fs
    push %gs
    mov $16, %eax
    mov %eax, %ds
    mov %eax, %es
    mov own_lock, %ecx
1:  mov (%ecx), %eax            /* 1: it was free and is ours */
    test $1, %eax
    jz 1b
    mov own_pin, %ecx
    mov (%ecx), %edx
    and $~2, %edx
    mov %edx, (%ecx)
    mov own_lock, %ecx
    mov %edx, (%ecx)            /* whatever is written frees it */
    movl $0, APIC_EOI
    incl taken
    pop %gs
    pop %fs
    pop %es
    pop %ds
    popal
    iret

/* uint32_t ping(void): sets the partner's pin, sleeps until its answer;
 * from the time stamp before to the first instruction of the handler. */
    .globl ping
    .align 32
ping:
    movl $0, taken
    mov partner_pin, %ecx       /* its line is near from now on */
    rdtsc
    mov %eax, sent
    mov partner_pin, %ecx
    mov partner_set, %edx
    mov %edx, (%ecx)
1:  cmpl $0, taken
    jne 2f
    sti
    hlt
    cli
    jmp 1b
2:  mov first, %eax
    sub sent, %eax
    ret

/* uint32_t sleep(void): until an interrupt has come; cycles from the first
 * instruction of its handler to the first one behind it. */
    .globl sleep
    .align 32
sleep:
    movl $0, taken
1:  cmpl $0, taken
    jne 2f
    sti
    hlt
    rdtsc
    cli
    mov %eax, back
    jmp 1b
2:  mov back, %eax
    sub first, %eax
    ret

    .bss
    .align 32
    .globl partner_pin, partner_set, own_pin, own_clear, own_lock
partner_pin: .skip 4
partner_set: .skip 4
own_pin:    .skip 4
own_clear:  .skip 4
own_lock:   .skip 4
first:      .skip 4
sent:       .skip 4
back:       .skip 4
taken:      .skip 4
