/*
 * task_fault.c: what is refused on the way into a task.
 *
 * Developer's Manual vol. 3, table 13-1 (checks of a task switch: before the
 * switch in the old task, after it in the new one), 13.6.1 (NT and IRET), the
 * pages of LTR and LLDT in chapter 25.
 */
#include "testrom.h"

#define OTHER SLOT(0)
#define GATE SLOT(1)
#define BAD SLOT(2)

extern const char go_jump[], landed_task[];
extern struct tss32 other;
static uint32_t inner_stack[256];

CODE(jump_there, "ljmp *far_target");
CODE(int_there, "int $0x40");
CODE(return_nested, "iret");
CODE(load_tr, "ltr %bx; mov $1, %eax");
CODE(load_ldt, "lldt %bx; mov $1, %eax");

/* A task of ring 3 that would run. */
static void good(void)
{
    uint32_t n;

    for (n = 0; n < sizeof other; n++)
        ((uint8_t *)&other)[n] = 0;
    other.eip = (uint32_t)landed_task;
    other.eflags = 2;
    other.esp = SCRATCH + 0x1000;
    other.esp0 = (uint32_t)&inner_stack[256];
    other.ss0 = DATA0;
    other.cs = CODE3 | 3;
    other.ss = other.ds = other.es = other.fs = other.gs = DATA3 | 3;
    other.bitmap = sizeof other;
    set(OTHER, (uint32_t)&other, sizeof other - 1, TSS32, 0);
    aim(OTHER, 0);
}

static void old_task(const char *what, uint32_t ring)
{
    try(what, ring, jump_there);
    use_task();
    __asm__ volatile("clts");
    good();
}

/* After the switch: the saved EIP is the new task's. */
static void new_task(const char *what)
{
    aim(OTHER, 0);
    run(0, jump_there);
    show(what, landed_task);
    use_task();
    __asm__ volatile("clts");
    good();
}

static void before(void)
{
    good();
    old_task("good", 0);
    old_task("tss dpl 0 from 3", 3);
    set(OTHER, (uint32_t)&other, sizeof other - 1, TSS32 - ABSENT, 0);
    old_task("tss not present", 0);
    set(OTHER, (uint32_t)&other, sizeof other - 1, TSS32 + 2, 0);
    old_task("tss busy", 0);
    set(OTHER, (uint32_t)&other, 0x66, TSS32, 0);
    old_task("tss limit 66", 0);
    set(OTHER, (uint32_t)&other, 0x67, TSS32, 0);
    old_task("tss limit 67", 0);
    set_gate(GATE, OTHER, 0, TASK_GATE, 0);
    aim(GATE, 0);
    old_task("gate dpl 0 from 3", 3);
    set_gate(GATE, OTHER, 0, TASK_GATE - ABSENT, 0);
    aim(GATE, 0);
    old_task("gate not present", 0);
    set_gate(GATE, OTHER | LDT_BIT, 0, TASK_GATE, 0);
    aim(GATE, 0);
    old_task("gate to ldt", 0);
    set_gate(GATE, DATA0, 0, TASK_GATE, 0);
    aim(GATE, 0);
    old_task("gate to data", 0);
    set_gate(GATE, TASK, 0, TASK_GATE, 0);
    aim(GATE, 0);
    old_task("gate to itself", 0);
    set_vector(0x40, DATA0, 0, TASK_GATE | RING3);
    try("int, gate to data", 3, int_there);
    default_vector(0x40);
}

static void after(void)
{
    other.ldt = DATA0;
    new_task("ldt data");
    set(BAD, (uint32_t)ldt, sizeof ldt - 1, LDT - ABSENT, 0);
    other.ldt = BAD;
    new_task("ldt not present");
    other.cs = 3;
    new_task("cs null");
    other.cs = DATA3 | 3;
    new_task("cs data");
    other.cs = CODE0 | 3;
    new_task("cs dpl 0, rpl 3");
    set(BAD, 0, 0xFFFFF, (EXECUTE | RING3) - ABSENT, BIG | PAGES);
    other.cs = BAD | 3;
    new_task("cs not present");
    other.ss = 0;
    new_task("ss null");
    other.ss = DATA0;
    new_task("ss dpl 0");
    set(BAD, 0, 0xFFFFF, (DATA | RING3) - ABSENT, BIG | PAGES);
    other.ss = BAD | 3;
    new_task("ss not present");
    other.es = BAD | 3;
    new_task("es not present");
    other.ds = DATA0;
    new_task("ds dpl 0");
    set(BAD, 0, 0xFFFFF, EXECUTE_ONLY | RING3, BIG | PAGES);
    other.fs = BAD | 3;
    new_task("fs execute-only");
    set(BAD, 0, 0xFFF, EXECUTE | RING3, BIG);
    other.cs = BAD | 3;
    new_task("eip beyond limit");
}

static void nested(const char *what, uint32_t link)
{
    task.link = link;
    in.eflags = FLAG_NT | 2;
    try(what, 0, return_nested);
    in.eflags = 2;
    use_task();
}

static void registers(void)
{
    try_with("ltr null", 0, load_tr, 0, 0);
    try_with("ltr busy", 0, load_tr, TASK, 0);
    try_with("ltr data", 0, load_tr, DATA0, 0);
    try_with("ltr in ldt", 0, load_tr, LDT_BIT | 8, 0);
    set(BAD, 0, 0x67, TSS32 - ABSENT, 0);
    try_with("ltr not present", 0, load_tr, BAD, 0);
    try_with("ltr ring 3", 3, load_tr, BAD, 0);
    try_with("lldt null", 0, load_ldt, 0, 0);
    try_with("lldt data", 0, load_ldt, DATA0, 0);
    set(BAD, 0, 0x67, LDT - ABSENT, 0);
    try_with("lldt not present", 0, load_ldt, BAD, 0);
    try_with("lldt ring 3", 3, load_ldt, BAD, 0);
}

void test_task_faults(void)
{
    topic("task faults");
    before();
    after();
    nested("iret, link null", 0);
    nested("iret, link not busy", OTHER);
    nested("iret, link data", DATA0);
    nested("iret, link beyond gdt", SLOT(SLOTS));
    set(BAD, 0, 0x67, TSS32 + 2 - ABSENT, 0);
    nested("iret, link not present", BAD);
    registers();
}
