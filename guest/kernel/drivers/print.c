/* Formatted text for messages: %d %u %x %X %c %s %p %llu %llx, with width
 * and zero padding. Messages go to COM2, as a program's standard error. */
#include "defs.h"

struct output {
    char *buffer;
    u32 size;
    u32 length; /* of the whole text, also what did not fit */
};

static void put(struct output *out, char c)
{
    if (out->length + 1 < out->size)
        out->buffer[out->length] = c;
    out->length++;
}

static void put_number(struct output *out, u64 value, u32 base, u32 width,
                       char padding, bool negative)
{
    char digits[24];
    u32 count = 0;

    do {
        u32 digit;

        value = divide(value, base, &digit);
        digits[count++] = "0123456789abcdef"[digit];
    } while (value);
    if (negative && padding == '0')
        put(out, '-');
    for (u32 n = count + negative; n < width; n++)
        put(out, padding);
    if (negative && padding != '0')
        put(out, '-');
    while (count > 0)
        put(out, digits[--count]);
}

static void put_string(struct output *out, const char *text, u32 width)
{
    u32 length = text ? string_length(text) : 0;

    for (u32 n = length; n < width; n++)
        put(out, ' ');
    while (length-- > 0)
        put(out, *text++);
}

struct directive {
    char padding;
    u32 width;
    u32 longs;
    char letter;
};

static const char *parse(const char *format, struct directive *d)
{
    *d = (struct directive){.padding = ' '};
    if (*format == '0') {
        d->padding = '0';
        format++;
    }
    while (*format >= '0' && *format <= '9')
        d->width = d->width * 10 + (u32)(*format++ - '0');
    while (*format == 'l') {
        d->longs++;
        format++;
    }
    d->letter = *format;
    return *format ? format + 1 : format;
}

u32 format_list(char *buffer, u32 size, const char *format, va_list list)
{
    struct output out = {buffer, size, 0};

    while (*format) {
        struct directive d;
        u64 value;

        if (*format != '%') {
            put(&out, *format++);
            continue;
        }
        format = parse(format + 1, &d);
        switch (d.letter) {
        case 'd': {
            s64 number = d.longs == 2 ? va_arg(list, s64) : va_arg(list, s32);
            bool negative = number < 0;

            value = negative ? -(u64)number : (u64)number;
            put_number(&out, value, 10, d.width, d.padding, negative);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'p':
            value = d.longs == 2 ? va_arg(list, u64) : va_arg(list, u32);
            put_number(&out, value,
                       d.letter == 'u' ? 10 : (d.letter == 'o' ? 8 : 16),
                       d.width, d.padding, false);
            break;
        case 'c':
            put(&out, (char)va_arg(list, int));
            break;
        case 's':
            put_string(&out, va_arg(list, const char *), d.width);
            break;
        default:
            put(&out, d.letter);
        }
    }
    if (size > 0)
        buffer[out.length < size ? out.length : size - 1] = 0;
    return out.length;
}

u32 format_text(char *buffer, u32 size, const char *format, ...)
{
    va_list list;
    u32 length;

    va_start(list, format);
    length = format_list(buffer, size, format, list);
    va_end(list);
    return length;
}

void print(const char *format, ...)
{
    char buffer[512];
    va_list list;
    u32 length;

    va_start(list, format);
    length = format_list(buffer, sizeof(buffer), format, list);
    va_end(list);
    if (length >= sizeof(buffer))
        length = sizeof(buffer) - 1;
    serial_write(COM2, buffer, length);
}
