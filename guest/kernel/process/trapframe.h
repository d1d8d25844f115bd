/* The program's registers as vector.S leaves them on the kernel stack. */
#ifndef TRAPFRAME_H
#define TRAPFRAME_H

#include "types.h"

struct trapframe {
    u32 edi, esi, ebp, pushal_esp, ebx, edx, ecx, eax;
    u32 gs, fs, es, ds;
    u32 vector;
    u32 error;
    u32 eip, cs, eflags;
    u32 esp, ss; /* only there when the trap came from ring 3 */
};

enum {
    TRAP_DIVIDE = 0,
    TRAP_DEBUG = 1,
    TRAP_NMI = 2,
    TRAP_BREAKPOINT = 3,
    TRAP_OVERFLOW = 4,
    TRAP_BOUND = 5,
    TRAP_UNDEFINED = 6,
    TRAP_NO_FPU = 7,
    TRAP_NOT_PRESENT = 11,
    TRAP_STACK = 12,
    TRAP_PROTECTION = 13,
    TRAP_PAGE = 14,
    TRAP_FPU = 16,
    TRAP_ALIGNMENT = 17,
};

/* Page fault error code. */
#define FAULT_PRESENT 1u
#define FAULT_WRITE 2u
#define FAULT_USER 4u

#define FLAG_TRAP 0x00000100u
#define FLAG_INTERRUPT 0x00000200u
#define FLAG_DIRECTION 0x00000400u
#define FLAG_ALIGNMENT 0x00040000u
/* What a program may change: CF PF AF ZF SF TF DF OF AC ID. */
#define FLAG_USER_MASK 0x00240DD5u

static inline bool from_user(const struct trapframe *frame)
{
    return (frame->cs & 3) == 3;
}

/* vector.S: load all of it and go on in ring 3. */
void user_enter(struct trapframe *frame) __attribute__((noreturn));

#endif
