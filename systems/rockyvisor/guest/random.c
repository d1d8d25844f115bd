/*
 * random.c: a guest that is broken or means harm. Each processor executes random
 * bytes in ring 1 with random registers, which write to all of its memory, its
 * tables and this code included. Whatever exception or tick comes, it goes on at
 * other bytes, until it has destroyed what it needs for that.
 */
#include "common/local_apic.h"
#include "guest/guest.h"

#define BYTES 256u     /* that are new each time */
#define MEMORY_BITS 25 /* most registers lie in the guest's memory */
#define TICK 50000u    /* cycles: also loops end */
#define FLAGS 0x4DD5u  /* also TF, and NT, which makes of IRET a task's end */
#define ALWAYS 0x202u
#define ENOUGH 4096u /* exceptions and ticks of a processor */

/* A processor's own, so that no other wants its page. */
static struct own {
    u32 state, taken;
    u8 code[PAGE - 8];
} own[PROCESSORS_MAX] __attribute__((aligned(PAGE)));

static u32 draw(struct own *o)
{
    o->state ^= o->state << 13;
    o->state ^= o->state >> 17;
    o->state ^= o->state << 5;
    return o->state;
}

static u32 address(struct own *o)
{
    return draw(o) >> (32 - MEMORY_BITS);
}

/* What the processor does next, in place of what it did. */
void random_next(struct frame *f)
{
    struct own *o = &own[own_number()];
    u32 at = draw(o) % (sizeof(o->code) - BYTES), *registers = &f->edi;

    if (o->taken++ == ENOUGH)
        exit_machine(0);
    apic_write(APIC_END_OF_INTERRUPT, 0);
    for (u32 n = 0; n < BYTES; n++)
        o->code[at + n] = (u8)(draw(o) >> 24);
    *(volatile u32 *)(address(o) & -4u) = draw(o);
    for (u32 n = 0; n < 8; n++)
        registers[n] = draw(o) & 3 ? address(o) : draw(o);
    f->eip = (u32)&o->code[at];
    f->flags = (draw(o) & FLAGS) | ALWAYS;
    timer(TICK);
}

/* The first bytes are an instruction that no processor has. */
void random_start(u32 number, u32 seed)
{
    own[number].state = (seed * PROCESSORS_MAX + number) * 0x9E3779B1u + 1;
    __asm__ volatile("sti\n\tud2");
    __builtin_unreachable();
}
