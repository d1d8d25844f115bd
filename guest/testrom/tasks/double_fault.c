/*
 * double_fault.c: exceptions while one is delivered.
 *
 * Developer's Manual vol. 3, 14.9.9: a contributory exception (0, 10 to 13)
 * during a contributory one, or a contributory one or a page fault during a
 * page fault, is a double fault; a benign one first is none. Exceptions during
 * a double fault shut the core down.
 */
#include "testrom.h"

CODE(d_divide, "div %al");
CODE(d_protect, "mov %bx, %ds");
CODE(d_undefined, "ud2");
CODE(d_stack, "mov %eax, %esp; push %eax");

static void absent(uint32_t vector)
{
    set_vector(vector, CODE0, 0, INTERRUPT_GATE32 - ABSENT);
}

void test_double_faults(void)
{
    topic("double faults");
    absent(0);
    try("#de, then #np", 0, d_divide);
    default_vector(0);
    absent(13);
    try_with("#gp, then #np", 3, d_protect, SLOT(SLOTS), 0);
    default_vector(13);
    absent(6);
    try("#ud, then #np", 3, d_undefined);
    absent(11);
    try("#ud, #np, #np", 3, d_undefined);
    default_vector(6);
    default_vector(11);
    task.ss0 = 0;
    try("#ud, inner ss null", 3, d_undefined);
    task.ss0 = DATA0;
    /* Nothing can come after this. */
    text("triple fault\n");
    *(volatile uint32_t *)MARK = TRIPLE_FAULT;
    absent(8);
    absent(13);
    try_with("survived", 0, d_protect, SLOT(SLOTS), 0);
}
