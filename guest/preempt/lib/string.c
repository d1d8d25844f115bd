/*
 * string.c: bytes. The compiler calls memcpy and memset by itself.
 */
#include "kernel.h"

void copy(void *to, const void *from, uint32_t bytes)
{
    __asm__ volatile("rep movsb"
                     : "+D"(to), "+S"(from), "+c"(bytes)
                     :
                     : "memory");
}

void fill(void *to, int value, uint32_t bytes)
{
    __asm__ volatile("rep stosb"
                     : "+D"(to), "+c"(bytes)
                     : "a"(value)
                     : "memory");
}

int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

void *memcpy(void *to, const void *from, uint32_t bytes)
{
    copy(to, from, bytes);
    return to;
}

void *memset(void *to, int value, uint32_t bytes)
{
    fill(to, value, bytes);
    return to;
}
