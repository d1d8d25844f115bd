/*
 * segment_limit.c: limits and types of an access.
 *
 * Developer's Manual vol. 3, 12.1 (limit checking: the last byte counts;
 * expand-down segments allow what is beyond the limit, up to FFFF or FFFFFFFF
 * by the B bit), 12.2 (type checking), 14.9.13 (#SS(0) for the stack,
 * #GP(0) for the others).
 */
#include "testrom.h"

CODE(read_byte, "mov %bx, %ds; mov (%ecx), %al; mov $1, %eax");
CODE(read_word, "mov %bx, %ds; mov (%ecx), %ax; mov $1, %eax");
CODE(read_long, "mov %bx, %ds; mov (%ecx), %eax; mov $1, %eax");
CODE(write_long, "mov %bx, %ds; mov %eax, (%ecx); mov $1, %eax");
CODE(write_code, "mov %eax, %cs:far_target; mov $1, %eax");
CODE(read_code, "mov %cs:far_target, %eax; mov $1, %eax");
CODE(jump_read, "ljmp *far_target");
CODE(push_long, "mov %bx, %ss; mov %ecx, %esp; push %eax; mov %esp, %eax");
CODE(push_word, "mov %bx, %ss; mov %ecx, %esp; pushw %ax; mov %esp, %eax");
CODE(by_ebp, "mov %bx, %ss; mov %ecx, %ebp; mov (%ebp), %eax; mov $1, %eax");
CODE(call_over, "mov %bx, %ss; mov %ecx, %esp; call 1f; 1: mov %esp, %eax");
CODE(copy_string, "mov %bx, %ds; mov %ecx, %esi; mov $0x41000, %edi;"
                  "mov $8, %ecx; rep movsb; mov %ecx, %eax");

static void upward(void)
{
    set(SLOT(0), SCRATCH, 0xFFF, DATA, BIG);
    try_with("byte at limit", 0, read_byte, SLOT(0), 0xFFF);
    try_with("byte beyond", 0, read_byte, SLOT(0), 0x1000);
    try_with("word at limit", 0, read_word, SLOT(0), 0xFFF);
    try_with("word below", 0, read_word, SLOT(0), 0xFFE);
    try_with("long at limit - 3", 0, read_long, SLOT(0), 0xFFC);
    try_with("long at limit - 2", 0, read_long, SLOT(0), 0xFFD);
    try_with("write at limit - 2", 0, write_long, SLOT(0), 0xFFD);
    set(SLOT(0), SCRATCH, 0, DATA, BIG | PAGES);
    try_with("page limit 0, fff", 0, read_byte, SLOT(0), 0xFFF);
    try_with("page limit 0, 1000", 0, read_byte, SLOT(0), 0x1000);
    set(SLOT(0), SCRATCH, 0, DATA, BIG);
    try_with("limit 0, byte 0", 0, read_byte, SLOT(0), 0);
    try_with("limit 0, word 0", 0, read_word, SLOT(0), 0);
}

static void downward(void)
{
    set(SLOT(0), SCRATCH, 0xFFF, DOWN, BIG);
    try_with("down, at limit", 0, read_byte, SLOT(0), 0xFFF);
    try_with("down, beyond", 0, read_byte, SLOT(0), 0x1000);
    try_with("down, top", 0, read_byte, SLOT(0), 0xFFFFFFFF);
    try_with("down, top long", 0, read_long, SLOT(0), 0xFFFFFFFC);
    set(SLOT(0), SCRATCH, 0xFFF, DOWN, 0);
    try_with("down 16, top word", 0, read_word, SLOT(0), 0xFFFE);
    try_with("down 16, over top", 0, read_word, SLOT(0), 0xFFFF);
    try_with("down 16, above", 0, read_byte, SLOT(0), 0x10000);
    set(SLOT(0), SCRATCH, 0xFFF, DOWN_READ_ONLY, BIG);
    try_with("down, read-only", 0, write_long, SLOT(0), 0x1000);
    set(SLOT(0), SCRATCH, 0xFFFFF, DOWN, BIG | PAGES);
    try_with("down, empty", 0, read_byte, SLOT(0), 0xFFFFFFFF);
}

static void types(void)
{
    set(SLOT(0), SCRATCH, 0xFFF, READ_ONLY, BIG);
    try_with("write read-only", 0, write_long, SLOT(0), 0);
    try("write code", 0, write_code);
    try("read code", 0, read_code);
    set(SLOT(0), 0, 0xFFFFF, EXECUTE_ONLY, BIG | PAGES);
    aim(SLOT(0), read_code);
    run(0, jump_read);
    show("read execute-only", read_code);
}

/* In ring 3, so that the handler has a stack. */
static void stacks(void)
{
    set(SLOT(0), SCRATCH, 0xFFF, DATA | RING3, BIG);
    try_with("push at top", 3, push_long, SLOT(0) | 3, 0x1000);
    try_with("push at 0", 3, push_long, SLOT(0) | 3, 0);
    try_with("push at 2", 3, push_long, SLOT(0) | 3, 2);
    try_with("push beyond", 3, push_long, SLOT(0) | 3, 0x1004);
    try_with("ebp beyond", 3, by_ebp, SLOT(0) | 3, 0xFFD);
    try_with("call at 0", 3, call_over, SLOT(0) | 3, 0);
    set(SLOT(0), SCRATCH, 0xFFFF, DATA | RING3, 0);
    try_with("16-bit stack wraps", 3, push_long, SLOT(0) | 3, 0x12340000);
    try_with("16-bit stack, word", 3, push_word, SLOT(0) | 3, 0x12340000);
    try_with("16-bit stack, split", 3, push_long, SLOT(0) | 3, 0x12340002);
    set(SLOT(0), SCRATCH, 0xFFF, DOWN | RING3, BIG);
    try_with("down, push above", 3, push_long, SLOT(0) | 3, 0x1004);
    try_with("down, push below", 3, push_long, SLOT(0) | 3, 0x1002);
    /* A ring 0 stack that has no room cannot take the #SS frame either. */
    set(SLOT(0), SCRATCH, 0xFFF, DATA, BIG);
    try_with("ring 0 push at 0", 0, push_long, SLOT(0), 0);
}

void test_segment_limits(void)
{
    topic("segment limits");
    upward();
    downward();
    types();
    stacks();
    /* 5 bytes fit; the instruction can go on from where it stopped. */
    set(SLOT(0), SCRATCH, 0xFFF, DATA, BIG);
    try_with("string over limit", 0, copy_string, SLOT(0), 0xFFB);
    line("ecx", got.ecx, 8);
    line("esi", got.esi, 8);
}
