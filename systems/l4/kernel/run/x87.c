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

/* The thread's numbers are in its struct, and in no register. */
void x87_leave(struct thread *t)
{
    static const u16 initial[] = {0x37F, 0xFFFF, 0, 0xFFFF, 0xFFFF, 0xFFFF};

    if (x87_owner == t) {
        __asm__ volatile("clts\n\tfnsave %0" : "=m"(t->x87));
        x87_open = 1;
        x87_owner = NULL;
    } else if (!t->x87[0] && !t->x87[1]) {
        memcpy(t->x87, initial, sizeof(initial));
    }
}

void x87_forget(struct thread *t)
{
    if (x87_owner == t)
        x87_owner = NULL;
}
