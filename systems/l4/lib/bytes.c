/*
 * bytes.c: memcpy and memset, which the compiler calls by itself.
 *
 * A store to a line that no cache has goes to memory alone, about as slowly
 * as the whole line comes from there [intel-eas]: each line is read first.
 */
#include "lib/l4.h"

#define LINE 32u
#define CHUNK 4096u /* a quarter of L1: what was read is still there */

static void fetch(const void *place, size_t bytes)
{
    uint32_t at = (uint32_t)place & -LINE, end = (uint32_t)place + bytes;

    for (; at < end; at += LINE)
        (void)*(volatile const uint8_t *)at;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
    void *at = to;

    while (bytes) {
        size_t some = bytes < CHUNK ? bytes : CHUNK, words = some / 4,
               rest = some % 4;

        fetch(at, some);
        __asm__ volatile("rep movsl\n\tmov %3, %%ecx\n\trep movsb"
                         : "+D"(at), "+S"(from), "+c"(words)
                         : "r"(rest)
                         : "memory");
        bytes -= some;
    }
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    void *at = to;
    uint32_t four = (uint8_t)value * 0x01010101u;

    while (bytes) {
        size_t some = bytes < CHUNK ? bytes : CHUNK, words = some / 4,
               rest = some % 4;

        fetch(at, some);
        __asm__ volatile("rep stosl\n\tmov %3, %%ecx\n\trep stosb"
                         : "+D"(at), "+c"(words)
                         : "a"(four), "r"(rest)
                         : "memory");
        bytes -= some;
    }
    return to;
}
