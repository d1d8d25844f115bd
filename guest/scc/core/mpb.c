/*
 * mpb.c: out of message memory.
 */
#include "scc/mpb.h"

#define LINE SCC_LINE_SIZE
#define WORDS ((int)SCC_LINE_WORDS)

typedef uint32_t any_word __attribute__((aligned(1), may_alias));
typedef const volatile uint32_t source_word __attribute__((may_alias));

void scc_get(void *target, const volatile void *source, size_t bytes)
{
    char *to = target;
    const volatile char *from = source;

    for (; bytes >= LINE; bytes -= LINE, to += LINE, from += LINE) {
        (void)*(volatile char *)to;
        (void)*(volatile char *)(to + LINE - 1);
        for (int n = 0; n < WORDS; n++)
            ((any_word *)to)[n] = ((const volatile any_word *)from)[n];
    }
    for (; bytes >= 4; bytes -= 4, to += 4, from += 4)
        *(any_word *)to = *(const volatile any_word *)from;
    for (; bytes > 0; bytes--)
        *to++ = *from++;
}

static uint32_t get_byte(char *to, const volatile char *from)
{
    *to = *from;
    return (uint32_t)(uint8_t)*to << 8 * ((uintptr_t)from & 3);
}

uint32_t scc_get_sum(void *target, const volatile void *source, size_t bytes)
{
    char *to = target;
    const volatile char *from = source;
    uint32_t sum = 0;

    for (; bytes > 0 && (uintptr_t)from & 3; bytes--)
        sum += get_byte(to++, from++);
    for (; bytes >= LINE; bytes -= LINE, to += LINE, from += LINE) {
        (void)*(volatile char *)to;
        (void)*(volatile char *)(to + LINE - 1);
        for (int n = 0; n < WORDS; n++) {
            uint32_t word = ((source_word *)from)[n];
            ((any_word *)to)[n] = word;
            sum += word;
        }
    }
    for (; bytes >= 4; bytes -= 4, to += 4, from += 4) {
        uint32_t word = *(source_word *)from;
        *(any_word *)to = word;
        sum += word;
    }
    for (; bytes > 0; bytes--)
        sum += get_byte(to++, from++);
    return sum;
}
