/*
 * coprocessor.c: when an x87 instruction is an exception.
 *
 * Developer's Manual vol. 3, 14.9.8 (#NM: EM for ESC, TS for ESC, TS and MP
 * for WAIT), 14.9.15 (#MF with NE, at the next waiting instruction), 10.1.3.
 */
#include "testrom.h"

#define MP 2
#define EM 4
#define TS 8
#define NE 0x20
#define DIVIDE \
    "fninit; push $0x33B; fldcw (%esp); fld1; fldz; fdivrp %st, %st(1);"

CODE(c_escape, "fninit; mov $1, %eax");
CODE(c_wait, "fwait; mov $1, %eax");
CODE(c_next, DIVIDE "nop; fld1");
CODE(c_fwait, DIVIDE "nop; fwait");
CODE(c_status, DIVIDE "fnstsw %ax; and $0x84, %eax");
CODE(c_cleared, DIVIDE "fnclex; fwait; mov $1, %eax");
CODE(c_integer, DIVIDE "mov $1, %eax");

static void with(uint32_t bits)
{
    uint32_t cr0;

    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    cr0 = (cr0 & ~(MP | EM | TS | NE)) | bits;
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0));
}

void test_coprocessor(void)
{
    topic("coprocessor");
    with(0);
    try("esc", 3, c_escape);
    with(EM);
    try("esc, em", 3, c_escape);
    try("wait, em", 3, c_wait);
    with(TS);
    try("esc, ts", 3, c_escape);
    try("wait, ts", 3, c_wait);
    with(TS | MP);
    try("esc, ts mp", 3, c_escape);
    try("wait, ts mp", 3, c_wait);
    with(MP);
    try("wait, mp", 3, c_wait);
    with(NE);
    try("divide, then fld1", 3, c_next);
    try("divide, then fwait", 3, c_fwait);
    try("divide, then fnstsw", 3, c_status);
    try("divide, fnclex, fwait", 3, c_cleared);
    try("divide, no x87 after", 3, c_integer);
    with(0);
    __asm__ volatile("fninit");
}
