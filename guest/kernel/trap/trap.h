/* Into the kernel and out of it. */
#ifndef TRAP_TRAP_H
#define TRAP_TRAP_H

struct trapframe;

/* gates.c */
void trap_init(void);
void bad_selector(struct trapframe *frame);

/* trap.c */
void trap(struct trapframe *frame);
void user_exception(struct trapframe *frame);

/* panic.c */
void panic_trap(const struct trapframe *frame) __attribute__((noreturn));

#endif
