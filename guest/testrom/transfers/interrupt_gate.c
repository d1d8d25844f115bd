/*
 * interrupt_gate.c: INT and exceptions through the IDT.
 *
 * Developer's Manual vol. 3, 14.5 to 14.8 (an interrupt gate clears IF, a
 * trap gate does not; both clear TF and NT; a software interrupt needs gate
 * DPL >= CPL), 14.7 (error code: index * 8 + IDT bit + EXT), the page of INT
 * in chapter 25.
 */
#include "testrom.h"

#define VECTOR 0x40

CODE(raise, "int $0x40");
CODE(raise_beyond, "int $0x90");
CODE(raise_three, ".byte 0xCD, 3");
CODE(overflow, "mov $0x7F, %al; inc %al; into");
CODE(undefined, "ud2");
CODE(icebp, ".byte 0xF1");
__asm__(".text\n.globl just_iret\njust_iret: iret\n");
extern const char just_iret[];
CODE(come_back, "mov %esp, %ebp; int $0x40; mov %esp, %eax; sub %ebp, %eax;"
                "shl $16, %eax; mov %cs, %ax");

static void flags(const char *what, uint32_t type)
{
    in.eflags = FLAG_IF | FLAG_NT | FLAG_CF | FLAG_IOPL(3) | 2;
    set_vector(VECTOR, CODE0, landed_flags, type | RING3);
    try(what, 3, raise);
    in.eflags = 2;
}

static void show_stack(const char *what, uint32_t ring, uint32_t words,
                       uint32_t size)
{
    uint32_t n, mask = size == 2 ? 0xFFFF : 0xFFFFFFFF;

    text(what);
    text(":");
    for (n = 0; n < words; n++) {
        in.esi = n * size;
        run(ring, raise);
        text(" ");
        if (n == 0)
            hex((got.eax - (uint32_t)raise) & mask, 4);
        else if (n == 3)
            hex((got.eax - (uint32_t)ring_stack_top) & mask, 4);
        else
            hex(got.eax & mask, 8);
    }
    in.esi = 0;
    text("\n");
}

static void refused(void)
{
    set_vector(VECTOR, CODE0, landed, INTERRUPT_GATE32);
    try("gate dpl 0 from 3", 3, raise);
    set_vector(VECTOR, CODE0, landed, (INTERRUPT_GATE32 | RING3) - ABSENT);
    try("gate not present", 3, raise);
    set_vector(VECTOR, CODE0, landed, CALL_GATE32 | RING3);
    try("call gate in idt", 3, raise);
    try("beyond idt", 3, raise_beyond);
    set_vector(VECTOR, 0, landed, INTERRUPT_GATE32 | RING3);
    try("target null", 3, raise);
    set_vector(VECTOR, DATA0, landed, INTERRUPT_GATE32 | RING3);
    try("target data", 3, raise);
    set_vector(VECTOR, CODE3, landed, INTERRUPT_GATE32 | RING3);
    try("target outer", 0, raise);
    set(SLOT(1), 0, 0xFFFFF, EXECUTE - ABSENT, BIG | PAGES);
    set_vector(VECTOR, SLOT(1), landed, INTERRUPT_GATE32 | RING3);
    try("target not present", 3, raise);
    set(SLOT(1), 0, 0xFFF, EXECUTE, BIG);
    try("target beyond limit", 3, raise);
    default_vector(VECTOR);
}

/* Exceptions go through gates of any DPL, and set EXT when the gate is bad. */
static void external(void)
{
    set_vector(6, CODE0, landed, INTERRUPT_GATE32 - ABSENT);
    try("#ud, gate not present", 3, undefined);
    set_vector(6, DATA0, landed, INTERRUPT_GATE32);
    try("#ud, target data", 3, undefined);
    default_vector(6);
    set_vector(3, CODE0, landed, INTERRUPT_GATE32);
    try("int 3, gate dpl 0", 3, raise_three);
    default_vector(3);
    set_vector(4, CODE0, landed, INTERRUPT_GATE32);
    try("into, gate dpl 0", 3, overflow);
    default_vector(4);
    try("into", 3, overflow);
    try("int1, gate dpl 0", 3, icebp);
}

void test_interrupt_gates(void)
{
    topic("interrupt gates");
    set_vector(VECTOR, CODE0, landed, INTERRUPT_GATE32 | RING3);
    try("ring 3 to 0", 3, raise);
    try("ring 0 to 0", 0, raise);
    flags("interrupt gate flags", INTERRUPT_GATE32);
    flags("trap gate flags", TRAP_GATE32);
    set_vector(VECTOR, CODE0, landed_top, INTERRUPT_GATE32 | RING3);
    show_stack("stack, ring 3 to 0", 3, 5, 4);
    show_stack("stack, ring 0 to 0", 0, 3, 4);
    set(SLOT(1), IMAGE, 0xFFFF, EXECUTE, BIG);
    set_vector(VECTOR, SLOT(1), landed_top - IMAGE, INTERRUPT_GATE16 | RING3);
    show_stack("16-bit gate", 3, 5, 2);
    task.ss1 = DATA1 | 1;
    task.esp1 = SCRATCH + 0x1000;
    set_vector(VECTOR, CODE1, landed, TRAP_GATE32 | RING3);
    try("ring 3 to 1", 3, raise);
    set(SLOT(2), 0, 0xFFFFF, CONFORMING, BIG | PAGES);
    set_vector(VECTOR, SLOT(2), landed, TRAP_GATE32 | RING3);
    try("conforming from 3", 3, raise);
    set_vector(VECTOR, CODE0, just_iret, INTERRUPT_GATE32 | RING3);
    try("there and back", 3, come_back);
    refused();
    external();
}
