/*
 * libc.c: the little of a C library that librcce_bare.a asks for, for the
 * test kernel. Memory is handed out and never taken back.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "bare.h"

#define HEAP_BYTES 0x20000

void *memset(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = (char)value;
    return to;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    if (to <= from)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        ((volatile char *)to)[bytes] = ((const char *)from)[bytes];
    return to;
}

size_t strlen(const char *text)
{
    size_t length = 0;

    while (((volatile const char *)text)[length])
        length++;
    return length;
}

char *strcpy(char *to, const char *from)
{
    return memcpy(to, from, strlen(from) + 1);
}

void *malloc(size_t bytes)
{
    static char heap[HEAP_BYTES] __attribute__((aligned(32)));
    static size_t used;
    size_t at = used;

    bytes = (bytes + 31) & ~(size_t)31;
    if (bytes > HEAP_BYTES - used)
        return NULL;
    used += bytes;
    return heap + at;
}

void *calloc(size_t count, size_t bytes)
{
    void *block = malloc(count * bytes);

    return block ? memset(block, 0, count * bytes) : NULL;
}

void free(void *block)
{
    (void)block;
}

int atoi(const char *text)
{
    int value = 0, sign = *text == '-' ? -1 : 1;

    for (text += *text == '-'; *text >= '0' && *text <= '9'; text++)
        value = 10 * value + *text - '0';
    return sign * value;
}

double atof(const char *text)
{
    double value = atoi(text), unit = 1;

    while (*text >= '0' && *text <= '9')
        text++;
    if (*text == '.')
        while (*++text >= '0' && *text <= '9')
            value += (unit /= 10) * (*text - '0');
    return value;
}

int putchar(int letter)
{
    char text[2] = {(char)letter, 0};

    say(text);
    return letter;
}

int puts(const char *text)
{
    say(text);
    say("\n");
    return 1;
}

/* %s, and numbers as %d. */
int printf(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    for (; *format; format++) {
        if (*format != '%') {
            putchar(*format);
        } else if (*++format == 's') {
            say(va_arg(values, const char *));
        } else {
            int value = va_arg(values, int);
            say(value < 0 ? "-" : "");
            say_number((uint32_t)(value < 0 ? -value : value));
        }
    }
    va_end(values);
    return 0;
}

uint64_t __udivdi3(uint64_t a, uint64_t b)
{
    uint64_t quotient = 0, rest = 0;

    for (int bit = 63; bit >= 0; bit--) {
        rest = rest << 1 | (a >> bit & 1);
        if (rest >= b) {
            rest -= b;
            quotient |= (uint64_t)1 << bit;
        }
    }
    return quotient;
}

int64_t __divdi3(int64_t a, int64_t b)
{
    uint64_t quotient =
        __udivdi3((uint64_t)(a < 0 ? -a : a), (uint64_t)(b < 0 ? -b : b));

    return (a < 0) == (b < 0) ? (int64_t)quotient : -(int64_t)quotient;
}
