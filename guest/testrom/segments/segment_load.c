/*
 * segment_load.c: what may be loaded into a segment register.
 *
 * Developer's Manual vol. 3, 12.3 (data access: CPL and RPL against DPL),
 * 12.3.1 (SS: all three equal), the pages of MOV, LDS and POP in chapter 25,
 * 14.9 (#NP(selector), #SS(selector) for a stack that is not present).
 */
#include "testrom.h"

CODE(load_ds, "mov %bx, %ds; mov $1, %eax");
CODE(load_ss, "mov %bx, %ss; mov $1, %eax");
CODE(use_null, "mov %bx, %ds; mov (0), %eax");
CODE(pop_es, "push %ebx; pop %es; mov $1, %eax");
CODE(far_pointer, "push %ebx; push $0x1234; lds (%esp), %eax");
CODE(stack_pointer, "mov %esp, %ecx; push %ebx; push %ecx; lss (%esp), %esp;"
                    "mov %esp, %eax; sub %ecx, %eax");
CODE(load_cs, ".byte 0x8E, 0xCB");
CODE(keep_hidden, "mov %bx, %ds; movl $0, %ss:(%ecx); movl $0, %ss:4(%ecx);"
                  "mov (0), %al; mov $1, %eax");

static void data_segments(void)
{
    try_with("null", 0, load_ds, 0, 0);
    try_with("null with rpl", 3, load_ds, 3, 0);
    try_with("null, used", 0, use_null, 0, 0);
    try_with("beyond gdt", 0, load_ds, SLOT(SLOTS), 0);
    try_with("no ldt", 0, load_ds, SLOT(0) | LDT_BIT, 0);

    set(SLOT(0), 0, 0xFFF, READ_ONLY, 0);
    try_with("read-only", 0, load_ds, SLOT(0), 0);
    set(SLOT(0), 0, 0xFFF, EXECUTE, 0);
    try_with("readable code", 0, load_ds, SLOT(0), 0);
    set(SLOT(0), 0, 0xFFF, EXECUTE_ONLY, 0);
    try_with("execute-only code", 0, load_ds, SLOT(0), 0);
    set(SLOT(0), 0, 0xFFF, TSS32, 0);
    try_with("system segment", 0, load_ds, SLOT(0), 0);
    set(SLOT(0), 0, 0xFFF, DATA - ABSENT, 0);
    try_with("not present", 0, load_ds, SLOT(0), 0);
    try_with("not present, pop", 0, pop_es, SLOT(0), 0);
    try_with("not present, lds", 0, far_pointer, SLOT(0), 0);
    /* The type is checked before presence. */
    set(SLOT(0), 0, 0xFFF, EXECUTE_ONLY - ABSENT, 0);
    try_with("not present, wrong", 0, load_ds, SLOT(0), 0);
}

static void privilege(void)
{
    set(SLOT(1), 0, 0xFFF, DATA | RING1, 0);
    try_with("ring 1, cpl 0 rpl 0", 0, load_ds, SLOT(1), 0);
    try_with("ring 1, cpl 0 rpl 1", 0, load_ds, SLOT(1) | 1, 0);
    try_with("ring 1, cpl 0 rpl 2", 0, load_ds, SLOT(1) | 2, 0);
    try_with("ring 1, cpl 1 rpl 0", 1, load_ds, SLOT(1), 0);
    try_with("ring 1, cpl 2 rpl 0", 2, load_ds, SLOT(1), 0);
    try_with("ring 1, cpl 3 rpl 3", 3, load_ds, SLOT(1) | 3, 0);
    set(SLOT(1), 0, 0xFFF, CONFORMING, 0);
    try_with("conforming, cpl 3", 3, load_ds, SLOT(1) | 3, 0);
    set(SLOT(1), 0, 0xFFF, EXECUTE, 0);
    try_with("ring 0 code, cpl 3", 3, load_ds, SLOT(1) | 3, 0);
}

static void stack_segments(void)
{
    try_with("ss null", 0, load_ss, 0, 0);
    try_with("ss rpl 1, cpl 0", 0, load_ss, DATA0 | 1, 0);
    try_with("ss dpl 1, cpl 0", 0, load_ss, DATA1, 0);
    try_with("ss dpl 3, cpl 3", 3, load_ss, DATA3 | 3, 0);
    try_with("ss dpl 3, rpl 0, cpl 3", 3, load_ss, DATA3, 0);
    set(SLOT(0), 0, 0xFFFFF, READ_ONLY, BIG | PAGES);
    try_with("ss read-only", 0, load_ss, SLOT(0), 0);
    try_with("ss code", 0, load_ss, CODE0, 0);
    try_with("ss beyond gdt", 0, load_ss, SLOT(SLOTS), 0);
    set(SLOT(0), 0, 0xFFFFF, DATA - ABSENT, BIG | PAGES);
    try_with("ss not present", 0, load_ss, SLOT(0), 0);
    try_with("lss", 0, stack_pointer, DATA0, 0);
    try_with("lss not present", 0, stack_pointer, SLOT(0), 0);
    try_with("mov to cs", 0, load_cs, CODE0, 0);
}

static void local_table(void)
{
    set(SLOT(2), (uint32_t)ldt, sizeof ldt - 1, LDT, 0);
    set_local(1, 0, 0xFFF, DATA | RING3, 0);
    use_ldt(SLOT(2));
    try_with("ldt", 3, load_ds, 8 | LDT_BIT | 3, 0);
    try_with("ldt entry 0", 0, load_ds, LDT_BIT, 0); /* not a null selector */
    try_with("beyond ldt", 3, load_ds, sizeof ldt | LDT_BIT | 3, 0);
    use_ldt(0);
    try_with("ldt gone", 3, load_ds, 8 | LDT_BIT | 3, 0);
}

void test_segment_loads(void)
{
    topic("segment loads");
    data_segments();
    privilege();
    stack_segments();
    local_table();
    /* 11.2.1: a load sets the accessed bit, a refused one does not. */
    set(SLOT(3), 0, 0xFFF, DATA, 0);
    try_with("accessed bit", 0, load_ds, SLOT(3), 0);
    line("descriptor", gdt[SLOT(3) / 8][1], 8);
    set(SLOT(3), 0, 0xFFF, DATA, 0);
    try_with("refused", 3, load_ds, SLOT(3), 0);
    line("descriptor", gdt[SLOT(3) / 8][1], 8);
    /* 11.1.2: the hidden part stays until the next load. */
    try_with("hidden part", 0, keep_hidden, SLOT(3),
             (uint32_t)gdt[SLOT(3) / 8]);
}
