/* Switching stacks. Part of the core of the layer: needs no C library and no
 * kernel. */
#ifndef SCC_STACK_H
#define SCC_STACK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Saves the caller's stack pointer in `*save` and continues where `load` was
 * saved. The registers that a function must keep on an i386 are on the stack
 * that it leaves; the x87's registers are empty at a call. */
void scc_switch(void *volatile *save, void *load);

/* Calls a function on another stack, whose end is a multiple of 16, and
 * returns on this one. */
void scc_call_on(void *end, void (*function)(void *), void *argument);

/* The value with which scc_switch begins `entry` on a fresh stack; `entry` does
 * not return. */
void *scc_first_frame(void *stack, size_t bytes, void (*entry)(void));

#ifdef __cplusplus
}
#endif

#endif
