/*
 * copy.c: copies from and to uncached memory.
 */
#include "farm.h"

/* By the x87, whose loads and stores of integers move 8 bytes at once. */
void farm_copy(void *to, const void *from, size_t bytes)
{
    uint64_t *t = to;
    const uint64_t *f = from;

    for (size_t n = 0; n < bytes / 8; n++)
        __asm__ volatile("fildll %1\n\tfistpll %0" : "=m"(t[n]) : "m"(f[n]));
}
