/*
 * say.c: text to the log, by as many messages as it takes.
 */
#include <stdarg.h>

#include "lib/l4.h"

static uint32_t used;

static void flush(void)
{
    if (used)
        l4_do(L4_SLOT_LOG, L4_LOG_WRITE, used, 0, 0);
    used = 0;
}

static void put(char c)
{
    char *text = (char *)(l4_utcb()->words + 3);

    text[used++] = c;
    if (used == (L4_WORDS_MAX - 3) * 4)
        flush();
}

static void put_number(uint32_t value, uint32_t base)
{
    char digits[10];
    int n = 0;

    do {
        digits[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    while (n > 0)
        put(digits[--n]);
}

static void put_signed(int32_t value)
{
    if (value < 0)
        put('-');
    put_number(value < 0 ? -(uint32_t)value : (uint32_t)value, 10);
}

void say(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    for (; *format; format++) {
        if (*format != '%') {
            put(*format);
            continue;
        }
        format++;
        if (*format == 's')
            for (const char *s = va_arg(list, const char *); *s; s++)
                put(*s);
        else if (*format == 'd')
            put_signed(va_arg(list, int32_t));
        else if (*format == 'x')
            put_number(va_arg(list, uint32_t), 16);
    }
    va_end(list);
    flush();
}

void halt(uint32_t code)
{
    l4_do(L4_SLOT_CORE, L4_CORE_END, code, 0, 0);
    for (;;)
        ;
}

int same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}
