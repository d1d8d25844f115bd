/*
 * instructions.c: core 0 measures single instructions in ring 0, in loops of
 * one instruction, a decrement and a branch [barrelfish-tn005].
 *
 * One line for each: its name, the turns, the cycles of the loop with it and
 * of the loop without it.
 */
#include "../bare/bare.h"

#define TURNS 10000

/* The loop is aligned, and has run once before it is measured. */
#define LOOP(name, instruction)                           \
    static uint32_t name(void)                            \
    {                                                     \
        static uint32_t word;                             \
        uint32_t cycles = 0;                              \
        for (int i = 0; i < 2; i++) {                     \
            uint32_t turns = TURNS, start = time_stamp(); \
            __asm__ volatile(".p2align 5\n"               \
                             "1:\t" instruction "\n\t"    \
                             "decl %0\n\t"                \
                             "jnz 1b"                     \
                             : "+r"(turns)                \
                             : "r"(&word)                 \
                             : "eax", "memory", "cc");    \
            cycles = time_stamp() - start;                \
        }                                                 \
        return cycles;                                    \
    }

LOOP(empty, "")
LOOP(nop, "nop")
LOOP(invalidate, ".byte 0x0f, 0x0a")
LOOP(xchg_memory, "xchgl %%eax, (%1)")
LOOP(lock_cmpxchg, "lock cmpxchgl %%eax, (%1)")
LOOP(lock_dec, "lock decl (%1)")

static void tell(const char *name, uint32_t (*loop)(void))
{
    uint32_t values[] = {TURNS, loop(), empty()};
    say(name);
    say_list(values, 3);
}

int main(void)
{
    paging_on();
    tell("nop", nop);
    tell("cl1invmb", invalidate);
    tell("xchg_mem", xchg_memory);
    tell("lock_cmpxchg", lock_cmpxchg);
    tell("lock_dec", lock_dec);
    return 0;
}
