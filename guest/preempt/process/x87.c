/*
 * x87.c: the floating-point registers follow their process, but only when
 * somebody else wants them: a switch sets CR0.TS, and the next x87
 * instruction is exception 7.
 */
#include "kernel.h"

static struct process *owner;
static uint8_t fresh[108];

static void save(uint8_t *to)
{
    __asm__ volatile("fnsave (%0)" : : "r"(to) : "memory");
}

static void load(const uint8_t *from)
{
    __asm__ volatile("frstor (%0)" : : "r"(from) : "memory");
}

void x87_away(void)
{
    uint32_t cr0;

    __asm__ volatile("mov %%cr0, %0\n\t"
                     "or $8, %0\n\t"
                     "mov %0, %%cr0"
                     : "=r"(cr0));
}

void x87_wanted(void)
{
    __asm__ volatile("clts");
    if (owner == current)
        return;
    if (owner)
        save(owner->x87);
    owner = current;
    load(current->x87);
}

/* The child begins with what its parent has in the registers. */
void x87_fork(struct process *child)
{
    __asm__ volatile("clts");
    if (owner) {
        save(owner->x87);
        load(owner->x87); /* saving has reset them */
    }
    copy(child->x87, current->x87, sizeof fresh);
    if (owner != current)
        x87_away();
}

/* A new program begins with fresh registers. */
void x87_forget(struct process *process)
{
    if (owner == process)
        owner = 0;
    __asm__ volatile("clts; fninit");
    save(fresh);
    copy(process->x87, fresh, sizeof fresh);
    x87_away();
}
