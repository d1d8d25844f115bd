/*
 * virtual_8086.c: virtual-8086 mode.
 *
 * Developer's Manual vol. 3, 22.1 to 22.5: real-mode addresses with limit
 * FFFF; ring 3; CLI, STI, PUSHF, POPF, INT n and IRET need IOPL 3; IN and OUT
 * always ask the bitmap; interrupts go to ring 0 with the data segments on
 * the stack and null in the registers; entry by IRET and by task switch.
 */
#include "virtual.h"

#define OTHER SLOT(0)

VIRTUAL(v_segments, "mov $0x1234, %ax; mov %ax, %fs; mov %cs, %ax");
VIRTUAL(v_limit, "mov 0xFFFF, %ax");
VIRTUAL(v_stack_limit, "mov $0xFFFF, %bp; mov (%bp), %ax");
VIRTUAL(v_high, "mov $0xFFFF, %ax; mov %ax, %ds; movw $0x4321, 0x20;"
                "mov 0x20, %ax");
VIRTUAL(v_addr32, "mov $0x10000, %ecx; mov (%ecx), %al");
VIRTUAL(v_cli, "cli; mov $1, %ax");
VIRTUAL(v_sti, "sti; mov $1, %ax");
VIRTUAL(v_pushf, "pushf; pop %ax");
VIRTUAL(v_popf, "push $0x7ED7; popf; pushf; pop %ax");
VIRTUAL(v_pushfl, "pushfl; pop %ax; pop %ax");
VIRTUAL(v_int, "int $0x80");
VIRTUAL(v_iret, "pushf; push %cs; push $1f; iret; 1: mov $1, %ax");
VIRTUAL(v_iret_only, "iret");
VIRTUAL(v_into, "mov $0x7F, %al; inc %al; into");
VIRTUAL(v_in, "mov $0x3FF, %dx; in %dx, %al; mov $1, %ax");
VIRTUAL(v_hlt, "hlt");
VIRTUAL(v_cr0, "mov %cr0, %eax");
VIRTUAL(v_lmsw, "lmsw %ax");
VIRTUAL(v_clts, "clts");
VIRTUAL(v_lgdt, "lgdtl 0");
VIRTUAL(v_smsw, "smsw %ax; and $1, %ax");
VIRTUAL(v_arpl, ".byte 0x63, 0xC0");
VIRTUAL(v_lar, "lar %ax, %ax");
VIRTUAL(v_sldt, "sldt %ax");
VIRTUAL(v_verr, "verr %ax");
VIRTUAL(v_far, "push %cs; push $1f; lret; 1: mov $1, %ax");
CODE(v_task, "lcall *far_target");
CODE(v_landed, "mov $1, %eax");

void show_virtual(const char *what, const void *code)
{
    if (got.vector == 3 && got.eflags & FLAG_VM)
        got.vector = DONE;
    show(what, code);
}

void try_virtual(const char *what, uint32_t iopl, const void *code)
{
    enter_virtual((uint32_t)code, FLAG_IOPL(iopl));
    show_virtual(what, code);
}

static void segments(void)
{
    try_virtual("cs", 0, v_segments);
    line("saved cs", got.cs & 0xFFFF, 4);
    line("saved fs", got.v86_fs & 0xFFFF, 4);
    line("saved esp", got.esp, 8);
    line("saved eflags", got.eflags, 8);
    line("handler's ds", got.ds & 0xFFFF, 4);
    line("handler's fs", got.fs & 0xFFFF, 4);
    try_virtual("word at ffff", 0, v_limit);
    try_virtual("stack word at ffff", 0, v_stack_limit);
    try_virtual("address 100010", 0, v_high);
    try_virtual("32-bit address", 0, v_addr32);
    try_virtual("far return", 0, v_far);
}

static void sensitive(uint32_t iopl)
{
    try_virtual("cli", iopl, v_cli);
    try_virtual("sti", iopl, v_sti);
    try_virtual("pushf", iopl, v_pushf);
    try_virtual("popf", iopl, v_popf);
    try_virtual("pushfd", iopl, v_pushfl);
    try_virtual("int 80", iopl, v_int);
    try_virtual("iret", iopl, iopl == 3 ? v_iret : v_iret_only);
    try_virtual("into", iopl, v_into);
    try_virtual("in", iopl, v_in);
}

static void never(void)
{
    try_virtual("hlt", 3, v_hlt);
    try_virtual("mov cr0", 3, v_cr0);
    try_virtual("lmsw", 3, v_lmsw);
    try_virtual("clts", 3, v_clts);
    try_virtual("lgdt", 3, v_lgdt);
    try_virtual("smsw", 3, v_smsw);
    try_virtual("arpl", 3, v_arpl);
    try_virtual("lar", 3, v_lar);
    try_virtual("sldt", 3, v_sldt);
    try_virtual("verr", 3, v_verr);
}

/* Gates that do not lead from virtual-8086 mode to ring 0. */
static void gates(void)
{
    set_vector(DONE, CODE0, v_landed, INTERRUPT_GATE32);
    try_virtual("int, gate dpl 0", 3, v_int);
    set_vector(DONE, CODE1, v_landed, INTERRUPT_GATE32 | RING3);
    try_virtual("int, handler in ring 1", 3, v_int);
    set(SLOT(1), 0, 0xFFFFF, CONFORMING, BIG | PAGES);
    set_vector(DONE, SLOT(1), v_landed, INTERRUPT_GATE32 | RING3);
    try_virtual("int, conforming handler", 3, v_int);
    default_vector(DONE);
}

static void by_task(void)
{
    static struct tss32 other;
    static uint32_t stack[256];

    other.eip = (uint32_t)v_segments;
    other.eflags = FLAG_VM | 2;
    other.esp = REAL_STACK;
    other.esp0 = (uint32_t)&stack[256];
    other.ss0 = DATA0;
    other.cs = IMAGE >> 4;
    other.ds = 0x1111;
    set(OTHER, (uint32_t)&other, sizeof other - 1, TSS32, 0);
    aim(OTHER, 0);
    run(0, v_task);
    show_virtual("by task switch", v_segments);
    line("saved ds", got.v86_ds & 0xFFFF, 4);
    line("saved eflags", got.eflags, 8);
    use_task();
    __asm__ volatile("clts");
}

void test_virtual_8086(void)
{
    topic("virtual-8086");
    segments();
    text("iopl 0\n");
    sensitive(0);
    text("iopl 3\n");
    sensitive(3);
    never();
    gates();
    by_task();
}
