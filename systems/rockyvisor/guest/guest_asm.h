/* guest_asm.h: the guest's constants that its assembly needs, as in guest.h. */
#ifndef GUEST_ASM_H
#define GUEST_ASM_H

#define KERNEL_CODE 0x10
#define KERNEL_DATA 0x18
#define USER_CODE 0x23
#define USER_DATA 0x2B
#define STACK 8192
#define VECTORS 0x81
#define GDT_ENTRIES 54 /* from 6 on a task state for each processor */

#endif
