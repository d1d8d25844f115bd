/*
 * opcode.c: what is no instruction.
 *
 * Developer's Manual vol. 3, 14.9.7 (#UD: reserved encodings, operands that
 * must be memory, LOCK where it may not be), 2.2 and 14.9.13 (#GP(0) for
 * more than 15 bytes), chapter 25. What later processors added is #UD here.
 */
#include "testrom.h"

CODE(o_ud2, "ud2");
CODE(o_lock_read, ".byte 0xF0; mov (%esp), %eax");
CODE(o_lock_register, ".byte 0xF0; add %eax, %eax");
CODE(o_lock_good, "lock addl $1, (%esp); mov $1, %eax");
CODE(o_lea, ".byte 0x8D, 0xC0");
CODE(o_les, ".byte 0xC4, 0xC0");
CODE(o_bound, ".byte 0x62, 0xC0");
CODE(o_cmpxchg8b, ".byte 0x0F, 0xC7, 0xC8");
CODE(o_lgdt, ".byte 0x0F, 0x01, 0xD0");
CODE(o_invlpg, ".byte 0x0F, 0x01, 0xF8");
CODE(o_far_register, ".byte 0xFF, 0xE8");
CODE(o_group5, ".byte 0xFF, 0xF8");
CODE(o_group4, ".byte 0xFE, 0xD0");
CODE(o_pop7, ".byte 0x8F, 0xC8");
CODE(o_segment6, ".byte 0x8E, 0xF0");
CODE(o_mov_cs, ".byte 0x8E, 0xC8");
CODE(o_cr1, ".byte 0x0F, 0x20, 0xC8");
CODE(o_cmov, ".byte 0x0F, 0x44, 0xC0");
CODE(o_sysenter, ".byte 0x0F, 0x34");
CODE(o_rdpmc, ".byte 0x0F, 0x33");
CODE(o_emms, ".byte 0x0F, 0x77");
CODE(o_long_nop, ".byte 0x0F, 0x1F, 0xC0");
CODE(o_loadall, ".byte 0x0F, 0x07");
CODE(o_15, ".fill 14, 1, 0x2E; nop; mov $1, %eax");
CODE(o_16, ".fill 15, 1, 0x2E; nop");
CODE(o_salc, "stc; .byte 0xD6; movzbl %al, %eax");
CODE(o_bound_trap, "push $2; push $1; mov $3, %eax; bound %eax, (%esp)");
CODE(o_bound_good, "push $2; push $1; mov $2, %eax; bound %eax, (%esp)");
CODE(o_divide, "mov $1, %edx; mov $1, %ecx; div %ecx");
CODE(o_aam, ".byte 0xD4, 0");

void test_opcodes(void)
{
    topic("opcodes");
    try("ud2", 0, o_ud2);
    try("lock mov", 0, o_lock_read);
    try("lock add register", 0, o_lock_register);
    try("lock add memory", 0, o_lock_good);
    try("lea register", 0, o_lea);
    try("les register", 0, o_les);
    try("bound register", 0, o_bound);
    try("cmpxchg8b register", 0, o_cmpxchg8b);
    try("lgdt register", 3, o_lgdt);
    try("invlpg register", 3, o_invlpg);
    try("far jmp register", 0, o_far_register);
    try("ff /7", 0, o_group5);
    try("fe /2", 0, o_group4);
    try("8f /1", 0, o_pop7);
    try("segment 6", 0, o_segment6);
    try("mov cs", 0, o_mov_cs);
    try("mov cr1", 0, o_cr1);
    try("cmov", 0, o_cmov);
    try("sysenter", 0, o_sysenter);
    try("rdpmc", 0, o_rdpmc);
    try("emms", 0, o_emms);
    try("long nop", 0, o_long_nop);
    try("0f 07", 0, o_loadall);
    try("15 bytes", 0, o_15);
    try("16 bytes", 0, o_16);
    try("salc", 0, o_salc);
    try("bound over", 0, o_bound_trap);
    try("bound at edge", 0, o_bound_good);
    try("divide overflow", 0, o_divide);
    try("aam 0", 0, o_aam);
}
