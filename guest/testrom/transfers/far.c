/*
 * far.c: JMP and CALL straight to another code segment.
 *
 * Developer's Manual vol. 3, 12.4 (control transfers: without a gate the
 * level stays; DPL = CPL and RPL <= CPL, or DPL <= CPL for conforming code),
 * the pages of JMP and CALL in chapter 25 for the order of the checks.
 */
#include "testrom.h"

CODE(far_jump, "ljmp *far_target");
CODE(far_call, "lcall *far_target");
CODE(far_call_word, "movw far_target + 4, %ax; movw %ax, far_target + 2;"
                    "lcallw *far_target");

static void transfer(const char *what, uint32_t ring, uint32_t selector)
{
    aim(selector, landed);
    try(what, ring, far_jump);
}

static void code(uint32_t type)
{
    set(SLOT(0), 0, 0xFFFFF, type, BIG | PAGES);
}

void test_far_transfers(void)
{
    topic("far transfers");
    transfer("same level", 0, CODE0);
    transfer("rpl above cpl", 0, CODE0 | 3);
    transfer("outer level", 0, CODE3 | 3);
    transfer("inner level", 3, CODE0);
    transfer("ring 3, rpl 0", 3, CODE3);
    transfer("null", 0, 0);
    transfer("beyond gdt", 0, SLOT(SLOTS));
    transfer("data", 0, DATA0);
    code(CONFORMING);
    transfer("conforming from 3", 3, SLOT(0));
    code(CONFORMING | RING3);
    transfer("conforming outer", 0, SLOT(0));
    code(EXECUTE - ABSENT);
    transfer("not present", 0, SLOT(0));
    code(EXECUTE_ONLY);
    transfer("execute-only", 0, SLOT(0));
    code(LDT);
    transfer("ldt descriptor", 0, SLOT(0));
    code(INTERRUPT_GATE32);
    transfer("interrupt gate", 0, SLOT(0));
    set(SLOT(0), 0, 0xFFF, EXECUTE, BIG);
    transfer("beyond limit", 0, SLOT(0));
    /* The offset within the limit counts, not the linear address. */
    set(SLOT(0), (uint32_t)landed, 0xFFF, EXECUTE, BIG);
    aim(SLOT(0), 0);
    try("base", 0, far_jump);
    line("eip", got.eip, 4);

    in.esi = 0;
    aim(CODE0, landed_top);
    run(0, far_call);
    line("call, return offset", got.eax - (uint32_t)far_call, 8);
    in.esi = 4;
    run(0, far_call);
    line("call, return selector", got.eax & 0xFFFF, 8);
    in.esi = 2;
    set(SLOT(0), IMAGE, 0xFFFF, EXECUTE, BIG);
    aim(SLOT(0), landed_top - IMAGE);
    run(0, far_call_word);
    line("16-bit call, selector", got.eax & 0xFFFF, 8);
    in.esi = 0;
}
