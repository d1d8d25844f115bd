/*
 * What the programs share: the size argument, the generator of their data,
 * and the verdict. Each program does `rounds` rounds, all alike, and checks
 * its own result against something known without computing it the same way.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Argument `at` as a number of at least 1. */
static inline unsigned bench_argument(int argc, char **argv, int at,
                                      unsigned otherwise)
{
    unsigned long value = argc > at ? strtoul(argv[at], NULL, 10) : otherwise;
    return value ? (unsigned)value : 1;
}

/* Nothing that lies at `where` is known to the compiler any more. */
static inline void bench_keep(void *where)
{
    __asm__ volatile("" : : "r"(where) : "memory");
}

/* Marsaglia's xorshift. */
static inline uint32_t bench_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* The program's last line; the exit code is 0 if all was right. */
static inline int bench_verdict(const char *what, unsigned rounds,
                                unsigned wrong)
{
    printf("%s: %u rounds, %u wrong\n", what, rounds, wrong);
    return wrong != 0;
}

#endif
