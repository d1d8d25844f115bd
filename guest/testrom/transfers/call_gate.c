/*
 * call_gate.c: CALL and JMP through gates.
 *
 * Developer's Manual vol. 3, 12.5 (gate: DPL >= CPL and RPL; target: DPL <=
 * CPL for CALL, = CPL for JMP to code that is not conforming), 12.5.2 (the
 * inner stack comes from the TSS and gets SS, ESP, the parameters, CS, EIP),
 * the page of CALL in chapter 25 (error codes: #TS for a bad inner SS).
 */
#include "testrom.h"

CODE(through, "push $0x33; push $0x22; push $0x11; lcall *far_target");
CODE(through16, "pushw $0x22; pushw $0x11; lcall *far_target");
CODE(jump_through, "ljmp *far_target");
CODE(there_and_back, "mov %esp, %ebp; push $3; push $2; push $1;"
                     "lcall *far_target; mov %esp, %eax; sub %ebp, %eax;"
                     "shl $16, %eax; mov %cs, %ax");
__asm__(".text\n.globl gate_return\ngate_return: lret $12\n");
extern const char gate_return[];

static void gate(uint32_t target, uint32_t type, uint32_t count)
{
    set_gate(SLOT(0), target, landed, type, count);
    aim(SLOT(0) | 3, 0);
}

/* The words that the gate has put onto the inner stack. */
static void show_stack(const char *what, const char *code, uint32_t words,
                       uint32_t size)
{
    uint32_t n, mask = size == 2 ? 0xFFFF : 0xFFFFFFFF;

    text(what);
    text(":");
    for (n = 0; n < words; n++) {
        in.esi = n * size;
        run(3, code);
        text(" ");
        if (n == 0)
            hex((got.eax - (uint32_t)code) & mask, 4);
        else if (n == words - 2) /* the outer ESP */
            hex((got.eax - (uint32_t)ring_stack_top) & mask, 8);
        else
            hex(got.eax & mask, 8);
    }
    in.esi = 0;
    text("\n");
}

static void refused(void)
{
    gate(CODE0, CALL_GATE32, 0);
    try("gate dpl 0 from 3", 3, through);
    gate(CODE0, (CALL_GATE32 | RING3) - ABSENT, 0);
    try("gate not present", 3, through);
    gate(CODE0, (CALL_GATE32 | RING2), 0);
    try("gate dpl 2, rpl 3", 1, through);
    gate(0, CALL_GATE32 | RING3, 0);
    try("target null", 3, through);
    gate(SLOT(SLOTS), CALL_GATE32 | RING3, 0);
    try("target beyond gdt", 3, through);
    gate(DATA0, CALL_GATE32 | RING3, 0);
    try("target data", 3, through);
    gate(CODE3, CALL_GATE32 | RING3, 0);
    try("target outer", 1, through);
    set(SLOT(1), 0, 0xFFFFF, EXECUTE - ABSENT, BIG | PAGES);
    gate(SLOT(1), CALL_GATE32 | RING3, 0);
    try("target not present", 3, through);
    set(SLOT(1), 0, 0xFFF, EXECUTE, BIG);
    try("target beyond limit", 3, through);
}

static void inner_stacks(void)
{
    gate(CODE1, CALL_GATE32 | RING3, 0);
    task.esp1 = (uint32_t)SCRATCH + 0x1000;
    task.ss1 = 0;
    try("inner ss null", 3, through);
    task.ss1 = DATA1;
    try("inner ss rpl 0", 3, through);
    task.ss1 = DATA0 | 1;
    try("inner ss dpl 0", 3, through);
    task.ss1 = SLOT(SLOTS) | 1;
    try("inner ss beyond gdt", 3, through);
    set(SLOT(2), 0, 0xFFFFF, READ_ONLY | RING1, BIG | PAGES);
    task.ss1 = SLOT(2) | 1;
    try("inner ss read-only", 3, through);
    set(SLOT(2), 0, 0xFFFFF, (DATA | RING1) - ABSENT, BIG | PAGES);
    try("inner ss not present", 3, through);
    task.ss1 = DATA1 | 1;
    try("inner ss ring 1", 3, through);
}

void test_call_gates(void)
{
    topic("call gates");
    gate(CODE0, CALL_GATE32 | RING3, 0);
    try("ring 3 to 0", 3, through);
    try("ring 0 to 0", 0, through);
    set_gate(SLOT(0), CODE0, landed_top, CALL_GATE32 | RING3, 3);
    show_stack("stack, 3 longs", through, 7, 4);
    set_gate(SLOT(0), CODE0, landed_top, CALL_GATE32 | RING3, 0);
    show_stack("stack, no longs", through, 4, 4);
    set(SLOT(1), IMAGE, 0xFFFF, EXECUTE, BIG);
    set_gate(SLOT(0), SLOT(1), landed_top - IMAGE, CALL_GATE16 | RING3, 2);
    show_stack("stack, 2 words", through16, 6, 2);
    set_gate(SLOT(0), CODE0, gate_return, CALL_GATE32 | RING3, 3);
    try("there and back", 3, there_and_back);

    set(SLOT(1), 0, 0xFFFFF, CONFORMING, BIG | PAGES);
    gate(SLOT(1), CALL_GATE32 | RING3, 0);
    try("conforming from 3", 3, through);
    try("jump, conforming", 3, jump_through);
    gate(CODE0, CALL_GATE32 | RING3, 0);
    try("jump inwards", 3, jump_through);
    try("jump, same level", 0, jump_through);
    refused();
    inner_stacks();
}
