// The interpreter's memcpy, memmove and memset: right for every offset and
// size, and a copy to memory that no cache holds takes a third of a plain one.
// cc: -O2 -fno-builtin
// run: -n 1
// expect-stdout:
// 40000 copies, 0 wrong
// a copy to memory in no cache: fewer than 10 cycles a byte
// calloc: zero, and nothing for more than there is
#include <stdio.h>

#include "../binding/lines.c"

#define BYTES 1200
#define OFFSETS 300
#define COPIES 40000
#define BLOCK 65536
#define OTHER (1 << 20) /* bytes that displace the block from the L2 */

static uint8_t got[BYTES], right[BYTES], between[OFFSETS];
static uint32_t seed = 12345;

static unsigned any(unsigned below)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 9) % below;
}

/* One copy, and what plain loops over bytes make of it; 1: they differ. */
static int differs(unsigned round)
{
    unsigned size = any(round % 2 ? OFFSETS : 40);
    unsigned from = any(OFFSETS), to = any(OFFSETS), kind = any(3);

    for (unsigned n = 0; n < BYTES; n++)
        got[n] = right[n] = (uint8_t)(n * 7 + round + (n >> 8) * 13);
    if (kind == 1)
        to += BYTES / 2;
    for (unsigned n = 0; n < size; n++)
        between[n] = kind == 2 ? (uint8_t)round : right[from + n];
    for (unsigned n = 0; n < size; n++)
        right[to + n] = between[n];
    if (kind == 0)
        memmove(got + to, got + from, size);
    else if (kind == 1)
        memcpy(got + to, got + from, size);
    else
        memset(got + to, (int)round, size);
    for (unsigned n = 0; n < BYTES; n++)
        if (got[n] != right[n])
            return 1;
    return 0;
}

static uint64_t cycles(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static double cycles_a_byte(void)
{
    uint8_t *from = malloc(BLOCK), *to = malloc(BLOCK), *other = malloc(OTHER);
    uint64_t began;

    memset(to, 1, BLOCK);
    memset(other, 2, OTHER);
    rcce_ruby_load_lines((char *)other, OTHER);
    memset(from, 3, BLOCK);
    began = cycles();
    memcpy(to, from, BLOCK);
    return (double)(cycles() - began) / BLOCK;
}

int main(void)
{
    unsigned wrong = 0;
    uint8_t *memory;
    double each;

    for (unsigned n = 0; n < COPIES; n++)
        wrong += (unsigned)differs(n);
    printf("%u copies, %u wrong\n", COPIES, wrong);
    each = cycles_a_byte();
    if (each < 10)
        puts("a copy to memory in no cache: fewer than 10 cycles a byte");
    else
        printf("a copy to memory in no cache: %.1f cycles a byte\n", each);
    free(memset(malloc(100), 1, 100));
    memory = calloc(25, 4);
    for (unsigned n = 0; n < 100; n++)
        wrong += memory[n];
    if (!wrong && !calloc(SIZE_MAX / 2, 3))
        puts("calloc: zero, and nothing for more than there is");
    return 0;
}
