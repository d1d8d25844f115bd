/*
 * alignment.c: #AC.
 *
 * Developer's Manual vol. 3, 14.9.16: with CR0.AM and EFLAGS.AC, in ring 3
 * only, error code 0; which types need which alignment.
 */
#include "testrom.h"

#define CR0_AM (1 << 18)

CODE(a_word, "mov $0x40001, %ecx; mov (%ecx), %ax; mov $1, %eax");
CODE(a_long, "mov $0x40002, %ecx; mov (%ecx), %eax; mov $1, %eax");
CODE(a_good, "mov $0x40004, %ecx; mov (%ecx), %eax; mov $1, %eax");
CODE(a_double, "mov $0x40004, %ecx; fldl (%ecx); mov $1, %eax");
CODE(a_single, "mov $0x40004, %ecx; flds (%ecx); mov $1, %eax");
CODE(a_push, "mov $0x40102, %esp; push %eax; mov $1, %eax");
CODE(a_far, "mov $0x40002, %ecx; lds (%ecx), %eax; mov $1, %eax");
CODE(a_string, "mov $0x40001, %esi; mov $0x40100, %edi; movsl; mov $1, %eax");
CODE(a_locked, "mov $0x40002, %ecx; lock incl (%ecx); mov $1, %eax");

void test_alignment(void)
{
    uint32_t cr0;

    topic("alignment");
    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    try("am off", 3, a_long);
    in.eflags = FLAG_AC | 2;
    try("ac alone", 3, a_long);
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0 | CR0_AM));
    try("word", 3, a_word);
    try("long", 3, a_long);
    try("aligned long", 3, a_good);
    try("double at 4", 3, a_double);
    try("single at 4", 3, a_single);
    try("push", 3, a_push);
    try("far pointer", 3, a_far);
    try("string", 3, a_string);
    try("locked", 3, a_locked);
    try("ring 0", 0, a_long);
    try("ring 2", 2, a_long);
    in.eflags = 2;
    try("ac off", 3, a_long);
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0));
    __asm__ volatile("fninit");
}
