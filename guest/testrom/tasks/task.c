/*
 * task.c: task switches by JMP, CALL, INT, IRET and task gates.
 *
 * Developer's Manual vol. 3, 13.5 (what is saved and loaded, TS), 13.6 (NT,
 * the link and the busy bits: CALL and INT leave the old task busy, JMP and
 * IRET do not), 13.1 and 13.2 (TSS of 32 and 16 bits), 17.3.1.5 (T bit).
 */
#include "testrom.h"

#define OTHER SLOT(0)
#define GATE SLOT(1)
#define VECTOR 0x40
#define SMALL_STACK 0x6000

extern struct tss32 other;
struct tss32 other;
static struct tss16 small;
static uint32_t other_stack[64], other_stack0[256];

CODE(go_jump, "mov $0x1111, %ebx; ljmp *far_target");
CODE(go_call, "mov $0x2222, %ebx; lcall *far_target");
CODE(go_int, "int $0x40");
CODE(call_back, "lcall *far_target; smsw %ax; and $8, %eax");
CODE(bad_load, "mov %bx, %ds");
/* TR and the flags of the task. */
CODE(landed_task, "pushfw; pop %cx; str %ax; shl $16, %eax; mov %cx, %ax");
CODE(landed_registers, "lea (%ebx,%ecx), %eax");
CODE(landed_error, "mov (%esp), %eax");
__asm__(".text\n.globl task_iret\ntask_iret: iret\njmp task_iret\n");
extern const char task_iret[];

static void make_other(const void *eip)
{
    uint32_t n;

    for (n = 0; n < sizeof other; n++)
        ((uint8_t *)&other)[n] = 0;
    other.link = 0xDEAD;
    other.eip = (uint32_t)eip;
    other.eflags = 2;
    other.esp = (uint32_t)&other_stack[60];
    other.esp0 = (uint32_t)&other_stack0[256];
    other.ss0 = DATA0;
    other.cs = CODE0;
    other.ss = other.ds = other.es = other.fs = other.gs = DATA0;
    other.bitmap = sizeof other;
    set(OTHER, (uint32_t)&other, sizeof other - 1, TSS32, 0);
}

static uint32_t type(uint32_t selector)
{
    return gdt[selector / 8][1] >> 8 & 0xFF;
}

/* Types of both descriptors: 89 available, 8b busy; the link; saved EIP. */
static void show_switch(const char *what, const char *code)
{
    show(what, code);
    text("  types ");
    hex(type(TASK), 2);
    text(" ");
    hex(type(OTHER), 2);
    text(", link ");
    hex(other.link, 4);
    text(", old eip +");
    hex(task.eip - (uint32_t)code, 2);
    text("\n");
    use_task();
    __asm__ volatile("clts");
}

static void switch_by(const char *what, uint32_t ring, const char *code)
{
    make_other(landed_task);
    run(ring, code);
    show_switch(what, code);
}

static void saved_state(void)
{
    make_other(landed_task);
    set(OTHER, (uint32_t)&other, sizeof other - 1, TSS32 | RING3, 0);
    in.ecx = 0x33333333;
    in.esi = 0x44444444;
    in.eflags = FLAG_CF | 2;
    run(3, go_jump);
    in.eflags = 2;
    in.ecx = in.esi = 0;
    use_task();
    line("saved ebx", task.ebx, 8);
    line("saved ecx", task.ecx, 8);
    line("saved esi", task.esi, 8);
    line("saved eflags", task.eflags, 8);
    line("saved cs", task.cs & 0xFFFF, 4);
    line("saved ss", task.ss & 0xFFFF, 4);
    line("saved ds", task.ds & 0xFFFF, 4);
}

/* In ring 3, so that its handlers have a stack of 32 bits. */
static void make_small(const void *code)
{
    small.ip = (uint32_t)code - IMAGE;
    small.flags = 2;
    small.bx = 0x0101;
    small.cx = 0x0202;
    small.sp = SMALL_STACK - 0x100;
    small.sp0 = SMALL_STACK;
    small.ss0 = DATA0;
    set(SLOT(2), IMAGE, 0xFFFF, EXECUTE | RING3, BIG);
    small.cs = SLOT(2) | 3;
    set(SLOT(3), 0, 0xFFFF, DATA | RING3, 0);
    small.ss = SLOT(3) | 3;
    small.ds = small.es = DATA3 | 3;
    set(OTHER, (uint32_t)&small, sizeof small - 1, TSS16, 0);
}

static void small_task(void)
{
    make_small(landed_registers);
    aim(OTHER, 0);
    run(0, go_call);
    line("16-bit task", got.eax & 0xFFFF, 4);
    line("16-bit task, cs", got.cs, 4);
    line("16-bit task, ss", got.ss, 4);
    line("16-bit task, fs", got.fs, 4);
    line("16-bit link", small.link, 4);
    line("16-bit type", type(OTHER), 2);
    use_task();
    make_small(task_iret);
    run(0, call_back);
    line("16-bit call and iret", got.eax, 8);
    line("16-bit saved ip", small.ip - ((uint32_t)task_iret - IMAGE), 4);
    use_task();
    make_small(landed_registers);
    set(OTHER, (uint32_t)&small, 0x2A, TSS16, 0);
    try("16-bit limit 2a", 0, go_call);
}

static void error_codes(void)
{
    make_other(landed_error);
    set_vector(13, OTHER, 0, TASK_GATE);
    in.ebx = SLOT(SLOTS);
    run(0, bad_load);
    line("error code by task gate", got.eax, 8);
    default_vector(13);
    use_task();
}

static void trap_bit(void)
{
    uint32_t dr6 = 0;

    make_other(landed_task);
    other.trap = 1;
    aim(OTHER, 0);
    __asm__ volatile("mov %0, %%dr6" : : "r"(dr6));
    run(0, go_jump);
    show("t bit", landed_task);
    __asm__ volatile("mov %%dr6, %0" : "=r"(dr6));
    line("dr6", dr6, 8);
    use_task();
}

void test_tasks(void)
{
    topic("tasks");
    aim(OTHER, 0);
    switch_by("jmp", 0, go_jump);
    switch_by("call", 0, go_call);
    make_other(task_iret);
    run(0, call_back);
    show_switch("call and iret, ts", call_back);
    line("new eip after iret", other.eip - (uint32_t)task_iret, 2);
    line("new flags after iret", other.eflags, 8);
    set_gate(GATE, OTHER, 0, TASK_GATE | RING3, 0);
    aim(GATE, 0);
    switch_by("jmp gate", 3, go_jump);
    switch_by("call gate", 3, go_call);
    set_vector(VECTOR, OTHER, 0, TASK_GATE | RING3);
    switch_by("int", 3, go_int);
    default_vector(VECTOR);
    aim(OTHER, 0);
    make_other(landed_task);
    set(OTHER, (uint32_t)&other, sizeof other - 1, TSS32 | RING3, 0);
    run(3, go_jump);
    show_switch("jmp from ring 3", go_jump);
    saved_state();
    error_codes();
    trap_bit();
    small_task();
    __asm__ volatile("clts");
}
