/*
 * x87.c: the floating-point registers follow their thread, lazily: they are
 * exchanged at the first instruction that needs them.
 */
#include "kernel/kernel.h"

struct thread *x87_owner __attribute__((section(".data.hot")));

/* Exception 7: another thread's numbers are in the registers, or nobody's. */
void x87_wanted(void)
{
    __asm__ volatile("clts");
    x87_open = 1;
    if (x87_owner == current)
        return;
    if (x87_owner)
        __asm__ volatile("fnsave %0" : "=m"(x87_owner->x87));
    if (current->x87[0] || current->x87[1])
        __asm__ volatile("frstor %0" : : "m"(current->x87));
    else
        __asm__ volatile("fninit");
    x87_owner = current;
}

void x87_forget(struct thread *t)
{
    if (x87_owner == t)
        x87_owner = NULL;
}
