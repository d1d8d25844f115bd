/*
 * landing.c: where the tests of far transfers, gates and tasks arrive.
 */
#include "testrom.h"

uint32_t far_target[2];

/* CS in the low half, DS in the high half. */
CODE(landed, "mov %ds, %eax; shl $16, %eax; mov %cs, %ax");
/* The word of the stack at offset ESI. */
CODE(landed_top, "mov %ss:(%esp,%esi), %eax");
CODE(landed_flags, "pushfl; pop %eax");

/* What the next indirect far transfer goes to. */
void aim(uint32_t selector, const void *offset)
{
    far_target[0] = (uint32_t)offset;
    far_target[1] = selector;
}
