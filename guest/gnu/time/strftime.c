/*
 * strftime.c: GNU's conversions, which end musl's function with nothing
 * written: %k, %l and %P, and the flags ^ and #. They are put into the format,
 * as text.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FLAGS "_-0+^#"

size_t __musl_strftime(char *room, size_t size, const char *format,
                       const struct tm *tm);

enum letters { AS_THEY_ARE, UPPER, LOWER };

static enum letters letters_of(const char *flags, const char *end, char letter)
{
    if (memchr(flags, '^', end - flags) != NULL)
        return UPPER;
    if (memchr(flags, '#', end - flags) == NULL)
        return AS_THEY_ARE;
    /* # changes the case: to lower where a conversion writes capitals. */
    return letter == 'Z' || letter == 'p' ? LOWER : UPPER;
}

/* Text of a conversion that musl has not got; `flags` end at `letter`. */
static void converted(char *text, size_t size, const char *flags,
                      const char *letter, const struct tm *tm)
{
    enum letters letters = letters_of(flags, letter, *letter);
    char plain[16], *at = plain;
    int hour = tm->tm_hour;

    *text = 0;
    if (*letter == 'k' || *letter == 'l') {
        if (*letter == 'l')
            hour = hour % 12 ? hour % 12 : 12;
        snprintf(text, size,
                 memchr(flags, '-', letter - flags)   ? "%d"
                 : memchr(flags, '0', letter - flags) ? "%02d"
                                                      : "%2d",
                 hour);
        return;
    }
    *at++ = '%';
    for (; flags < letter && at < plain + sizeof plain - 2; flags++)
        if (*flags != '^' && *flags != '#')
            *at++ = *flags;
    *at++ = *letter == 'P' ? 'p' : *letter;
    *at = 0;
    if (*letter == 'P')
        letters = LOWER;
    if (__musl_strftime(text, size, plain, tm) == 0)
        *text = 0;
    for (; letters != AS_THEY_ARE && *text != 0; text++)
        *text = (char)(letters == UPPER ? toupper((unsigned char)*text)
                                        : tolower((unsigned char)*text));
}

/* The conversion behind a %: its letter, and whether it is ours. */
static const char *letter_of(const char *conversion, int *ours)
{
    const char *letter = conversion + strspn(conversion, FLAGS);

    *ours = memchr(conversion, '^', letter - conversion) != NULL ||
            memchr(conversion, '#', letter - conversion) != NULL;
    letter += strspn(letter, "0123456789");
    letter += *letter == 'E' || *letter == 'O';
    *ours |= *letter == 'k' || *letter == 'l' || *letter == 'P';
    *ours &= *letter != 0;
    return letter;
}

size_t strftime(char *restrict room, size_t size, const char *restrict format,
                const struct tm *restrict tm)
{
    char *own = NULL, text[128];
    size_t length = 0, wrote;
    FILE *made = NULL;
    int ours = 0;

    for (const char *at = format; !ours && (at = strchr(at, '%')) != NULL;)
        at = letter_of(at + 1, &ours), at += *at != 0;
    if (!ours || (made = open_memstream(&own, &length)) == NULL)
        return __musl_strftime(room, size, format, tm);
    while (*format != 0) {
        const char *letter = letter_of(format + 1, &ours);

        if (*format != '%' || !ours) {
            const char *end = *format == '%' && *letter ? letter : format;

            fwrite(format, 1, (size_t)(end + 1 - format), made);
            format = end + 1;
            continue;
        }
        converted(text, sizeof text, format + 1, letter, tm);
        for (const char *byte = text; *byte != 0; byte++)
            fputs(*byte == '%' ? "%%" : (char[]){*byte, 0}, made);
        format = letter + 1;
    }
    fclose(made);
    wrote = __musl_strftime(room, size, own, tm);
    free(own);
    return wrote;
}
