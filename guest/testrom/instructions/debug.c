/*
 * debug.c: single steps and breakpoints.
 *
 * Developer's Manual vol. 3, chapter 17: 17.3.1.4 (TF: a trap after the
 * instruction; INT clears it; MOV SS holds it off), 17.3.1.1 (instruction
 * breakpoints are faults, RF passes over one), 17.3.1.2 (data breakpoints are
 * traps), 17.3.1.3 (GD), 17.2 (registers).
 */
#include "testrom.h"

#define CR4_DE 8
#define TF_ON "pushf; orl $0x100, (%esp); popf;"

static uint32_t steps[16], step_count;
extern uint32_t watched[2];
uint32_t watched[2];

CODE(s_plain, TF_ON "nop; inc %eax; nop");
CODE(s_stack, TF_ON "mov %ss, %ecx; mov %ecx, %ss; nop; nop");
CODE(s_string, TF_ON "mov $0x40000, %esi; mov $0x40100, %edi; mov $3, %ecx;"
                     "rep movsb; nop");
CODE(s_branch, TF_ON "jmp 1f; nop; 1: nop");
CODE(s_off, TF_ON "pushf; andl $~0x100, (%esp); popf; nop; nop");
CODE(s_int, TF_ON "int $0x40; nop");
CODE(s_pushf, TF_ON "pushf; pop %eax; and $0x100, %eax");
CODE(b_nop, "nop; nop; nop; mov $1, %eax");
CODE(b_write, "movl $1, watched; nop; mov $1, %eax");
CODE(b_read, "mov watched, %ecx; nop; mov $1, %eax");
CODE(b_write_byte, "movb $1, watched + 3; nop; mov $1, %eax");
CODE(b_write_over, "movl $1, watched + 1; nop; mov $1, %eax");
CODE(b_write_next, "movl $1, watched + 4; nop; mov $1, %eax");
CODE(b_string, "mov $watched - 1, %edi; mov $4, %ecx; rep stosb; nop");
CODE(b_push, "mov $watched + 4, %esp; push %eax; nop; mov $1, %eax");
CODE(b_port, "mov $0x3FF, %dx; in %dx, %al; nop; mov $1, %eax");
CODE(b_move, "mov %dr0, %eax; mov $1, %eax");
CODE(b_dr4, "mov %dr4, %eax; mov $1, %eax");
CODE(b_dr45, "mov %dr6, %ecx; mov %dr4, %eax; sub %ecx, %eax");
extern const char just_iret[];

/* Notes where each trap comes, and goes on. */
static int step(struct frame *frame)
{
    if (frame->vector != 1)
        return 0;
    if (step_count < 16)
        steps[step_count++] = frame->eip;
    return 1;
}

static void single(const char *what, const char *code)
{
    uint32_t n;

    step_count = 0;
    hook = step;
    run(0, code);
    hook = 0;
    text(what);
    text(":");
    for (n = 0; n < step_count; n++) {
        text(" +");
        hex(steps[n] - (uint32_t)code, 2);
    }
    text("\n");
}

static void arm(const void *address, uint32_t dr7)
{
    __asm__ volatile("mov %0, %%dr6; mov %1, %%dr0; mov %2, %%dr7"
                     :
                     : "r"(0), "r"(address), "r"(dr7));
}

static void met(const char *what, uint32_t ring, const char *code)
{
    uint32_t dr6;

    run(ring, code);
    __asm__ volatile("mov %%dr6, %0; mov %1, %%dr7; mov %1, %%dr6"
                     : "=&r"(dr6)
                     : "r"(0));
    show(what, code);
    line("  dr6", dr6 & 0xE00F, 4);
}

static void stepping(void)
{
    set_vector(0x40, CODE0, just_iret, INTERRUPT_GATE32);
    single("steps", s_plain);
    single("after mov ss", s_stack);
    single("string", s_string);
    single("branch", s_branch);
    single("popf clears", s_off);
    single("over int", s_int);
    default_vector(0x40);
    arm(0, 0);
    met("pushf shows tf", 0, s_pushf);
}

/* DR7 for DR0: global enable, kind, length - 1. */
#define DR7(kind, length) (2 | (kind) << 16 | ((length) - 1) << 18)

static void instructions(void)
{
    arm(b_nop + 1, DR7(0, 1));
    met("execute", 0, b_nop);
    arm(b_nop + 1, DR7(0, 1));
    met("execute, ring 3", 3, b_nop);
    arm(b_nop, DR7(0, 1));
    in.eflags = FLAG_RF | 2;
    met("execute, rf", 0, b_nop);
    in.eflags = 2;
    arm(b_nop + 1, 0);
    met("not enabled", 0, b_nop);
}

static void data(void)
{
    arm(watched, DR7(1, 4));
    met("write", 0, b_write);
    arm(watched, DR7(1, 4));
    met("write, read of", 0, b_read);
    arm(watched, DR7(3, 4));
    met("access, read of", 0, b_read);
    arm(watched, DR7(1, 4));
    met("write, last byte", 3, b_write_byte);
    arm(watched, DR7(1, 1));
    met("write of byte 0, byte 3", 0, b_write_byte);
    arm(watched, DR7(1, 4));
    met("write, overlapping", 0, b_write_over);
    arm(watched, DR7(1, 4));
    met("write, next long", 0, b_write_next);
    arm(watched, DR7(1, 1));
    met("write, string", 0, b_string);
    line("  ecx", got.ecx, 8);
    arm(watched, DR7(1, 4));
    met("write, push", 3, b_push);
}

void test_debug(void)
{
    topic("debug");
    stepping();
    instructions();
    data();
    arm(0, 0x2000); /* GD */
    met("general detect", 0, b_move);
    arm(0, 0);
    met("dr4 is dr6", 0, b_dr45);
    __asm__ volatile("mov %0, %%cr4" : : "r"(CR4_DE));
    met("dr4, de", 0, b_dr4);
    arm((void *)0x3FF, DR7(2, 1));
    met("port", 0, b_port);
    __asm__ volatile("mov %0, %%cr4" : : "r"(0));
}
