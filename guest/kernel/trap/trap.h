/* Into the kernel and out of it. */
#ifndef TRAP_TRAP_H
#define TRAP_TRAP_H

struct trapframe;

/* trap.c */
void trap_init(void);
void trap(struct trapframe *frame);

/* panic.c */
void panic_trap(const struct trapframe *frame) __attribute__((noreturn));

#endif
