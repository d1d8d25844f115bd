/*
 * inspection.c: LAR, LSL, VERR, VERW, ARPL.
 *
 * Developer's Manual vol. 3, 12.6 and the pages of the five instructions in
 * chapter 25: ZF shows whether the descriptor is visible at CPL and RPL and
 * of a type that the instruction accepts (LAR: all but interrupt and trap
 * gates and reserved types; LSL: segments, TSS, LDT).
 */
#include "testrom.h"

CODE(do_lar, "lar %ebx, %eax; jz 1f; mov $0xFFFFFFFF, %eax; 1:");
CODE(do_lsl, "lsl %ebx, %eax; jz 1f; mov $0xEEEEEEEE, %eax; 1:");
CODE(do_verify, "verr %bx; jnz 1f; or $2, %al; 1: verw %bx; jnz 1f;"
                "or $1, %al; 1:");
CODE(do_arpl, "mov %ebx, %eax; arpl %cx, %ax; jnz 1f; or $0x10000, %eax; 1:");

/* LAR (bits 19 to 16 are undefined), LSL, and whether it can be read (2)
 * and written (1). */
static void inspect(const char *what, uint32_t ring, uint32_t selector)
{
    text(what);
    text(": ");
    in.ebx = selector;
    run(ring, do_lar);
    if (got.eax == 0xFFFFFFFF)
        text("--------");
    else
        hex(got.eax & 0xFFF0FFFF, 8);
    text(" ");
    run(ring, do_lsl);
    if (got.eax == 0xEEEEEEEE)
        text("--------");
    else
        hex(got.eax, 8);
    text(" ");
    run(ring, do_verify);
    hex(got.eax, 1);
    text("\n");
}

static void inspect_type(const char *what, uint32_t type)
{
    set(SLOT(0), 0, 0x12345, type, 0);
    inspect(what, 0, SLOT(0));
}

void test_inspection(void)
{
    topic("inspection");
    inspect("null", 0, 0);
    inspect("beyond gdt", 0, SLOT(SLOTS));
    inspect("flat data", 0, DATA0);
    inspect("flat code", 0, CODE0);
    inspect("ring 0 data from 3", 3, DATA0);
    inspect("ring 3 data, rpl 3", 3, DATA3 | 3);
    inspect("ring 0 data, rpl 1", 0, DATA0 | 1);
    inspect_type("read-only", READ_ONLY);
    inspect_type("expand-down", DOWN);
    inspect_type("execute-only", EXECUTE_ONLY);
    inspect_type("not present", DATA - ABSENT);
    inspect_type("tss 16", TSS16);
    inspect_type("tss 16 busy", TSS16 + 2);
    inspect_type("ldt", LDT);
    inspect_type("call gate 16", CALL_GATE16);
    inspect_type("task gate", TASK_GATE);
    inspect_type("interrupt gate 16", INTERRUPT_GATE16);
    inspect_type("tss 32", TSS32);
    inspect_type("tss 32 busy", TSS32 + 2);
    inspect_type("call gate 32", CALL_GATE32);
    inspect_type("interrupt gate 32", INTERRUPT_GATE32);
    inspect_type("trap gate 32", TRAP_GATE32);
    inspect_type("reserved 0", 0x80);
    inspect_type("reserved 8", 0x88);
    inspect_type("reserved a", 0x8A);
    inspect_type("reserved d", 0x8D);
    set(SLOT(0), 0, 0x12345, CONFORMING, PAGES);
    inspect("conforming from 3", 3, SLOT(0) | 3);
    set(SLOT(0), 0, 0x12345, TSS32, 0);
    inspect("tss from 3", 3, SLOT(0));
    try_with("arpl lower", 3, do_arpl, 0x50, 0x53);
    try_with("arpl equal", 3, do_arpl, 0x53, 0x53);
    try_with("arpl higher", 0, do_arpl, 0x53, 0x51);
}
