/*
 * self_modify.c: code that writes itself.
 *
 * Developer's Manual vol. 3, 18.2.3 (a Pentium checks stores against the
 * prefetched addresses, so that even the next instruction is seen changed).
 */
#include "testrom.h"

CODE(m_jump, "movb $7, 1f + 1; jmp 1f; 1: mov $1, %al; movb $1, 1b + 1");
CODE(m_next, "movb $7, 1f + 1; 1: mov $1, %al; movb $1, 1b + 1");
CODE(m_length, "movb $0x40, 1f; 1: nop; movb $0x90, 1b");
CODE(m_loop, "mov $3, %ecx; 1: add $1, %eax; incb 1b + 2; loop 1b;"
             "movb $1, 1b + 2");
CODE(m_string, "mov $2f, %esi; mov $1f, %edi; mov $2, %ecx; rep movsb;"
               "1: mov $1, %al; jmp 3f; 2: mov $9, %al; 3: movb $1, 1b + 1");

void test_self_modification(void)
{
    topic("self-modification");
    try("after a jump", 0, m_jump);
    try("the next instruction", 0, m_next);
    try("opcode", 0, m_length);
    try("own operand in a loop", 0, m_loop);
    try("by a string", 0, m_string);
}
