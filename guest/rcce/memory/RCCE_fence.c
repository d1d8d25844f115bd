/*
 * RCCE_fence.c: the order of memory accesses.
 */
#include "RCCE_lib.h"

/* Keeps the compiler from moving memory accesses across it, and pushes a
 * partly filled write-combine buffer. The core itself reorders nothing. */
void RCCE_fence(void)
{
    __asm__ volatile("" ::: "memory");
    if (rcce_ues > 0)
        rcce_push_wcb();
}
