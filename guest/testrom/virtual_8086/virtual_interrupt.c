/*
 * virtual_interrupt.c: the extensions of virtual-8086 mode (CR4.VME) and the
 * virtual interrupt flag of ring 3 (CR4.PVI).
 *
 * The Pentium manual keeps these in its appendix H; they are in the SDM
 * vol. 3, "8086 emulation": the redirection bitmap below the I/O bitmap sends
 * INT n to the program's own table at 0; with IOPL below 3 VIF takes the place
 * of IF, and STI with VIP pending is #GP(0).
 */
#include "virtual.h"

#define CR4_PVI 2
#define BITMAP 136 /* the redirection bitmap is right below */
#define VECTOR 0x21

VIRTUAL(e_int, "int $0x21; mov $1, %ax");
VIRTUAL(e_handler, "mov %sp, %bp; mov 4(%bp), %ax");
VIRTUAL(e_cli, "cli; pushf; pop %ax");
VIRTUAL(e_sti, "sti; pushf; pop %ax");
VIRTUAL(e_popf, "push $0x7202; popf; pushf; pop %ax");
VIRTUAL(e_popf_tf, "push $0x102; popf");
VIRTUAL(e_pushfl, "pushfl");
VIRTUAL(e_iret, "push $0x202; push %cs; push $1f; iret;"
                "1: pushf; pop %ax");
CODE(p_set, "sti; pushf; pop %eax");
CODE(p_clear, "cli; pushf; pop %eax");

static void set_cr4(uint32_t value)
{
    __asm__ volatile("mov %0, %%cr4" : : "r"(value));
}

/* In which flag a snippet has left what it did. */
static void extended(const char *what, uint32_t flags, const void *code)
{
    enter_virtual((uint32_t)code, flags);
    show_virtual(what, code);
    line("  eflags", got.eflags & ~0xD5, 8);
}

static void redirection(void)
{
    volatile uint32_t *table = 0;

    __asm__("" : "+r"(table)); /* address 0 is one like others */
    table[VECTOR] = IMAGE >> 4 << 16 | (uint32_t)e_handler;
    extended("redirected, iopl 3", FLAG_IOPL(3) | FLAG_IF, e_int);
    extended("redirected, iopl 0", FLAG_IF | FLAG_VIF, e_int);
    task.redirection[VECTOR / 8] |= 1 << VECTOR % 8;
    extended("not redirected, iopl 0", 0, e_int);
    set_vector(VECTOR, CODE0, vectors + 16 * DONE, INTERRUPT_GATE32 | RING3);
    extended("not redirected, iopl 3", FLAG_IOPL(3), e_int);
    default_vector(VECTOR);
    task.redirection[VECTOR / 8] = 0;
}

void test_virtual_interrupts(void)
{
    topic("virtual interrupts");
    task.bitmap = BITMAP;
    set_cr4(CR4_VME);
    redirection();
    extended("cli", FLAG_IF | FLAG_VIF, e_cli);
    extended("sti", FLAG_IF, e_sti);
    extended("sti, vip", FLAG_IF | FLAG_VIP, e_sti);
    extended("cli, vip", FLAG_IF | FLAG_VIP, e_cli);
    extended("popf", FLAG_IF, e_popf);
    extended("popf, vip", FLAG_IF | FLAG_VIP, e_popf);
    extended("popf with tf", FLAG_IF, e_popf_tf);
    extended("pushfd", FLAG_IF, e_pushfl);
    extended("iret", FLAG_IF, e_iret);
    extended("iopl 3, cli", FLAG_IOPL(3) | FLAG_IF, e_cli);
    set_cr4(CR4_PVI);
    in.eflags = FLAG_IF | 2;
    try("pvi sti", 3, p_set);
    line("  eflags", got.eflags & ~0xD5, 8);
    in.eflags = FLAG_IF | FLAG_VIF | 2;
    try("pvi cli", 3, p_clear);
    line("  eflags", got.eflags & ~0xD5, 8);
    in.eflags = FLAG_IF | FLAG_VIP | 2;
    try("pvi sti, vip", 3, p_set);
    in.eflags = FLAG_IF | 2;
    try("pvi sti, ring 1", 1, p_set);
    in.eflags = 2;
    set_cr4(0);
    task.bitmap = sizeof task;
}
