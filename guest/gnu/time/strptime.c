/*
 * strptime.c: GNU's conversions (%F, %z, %s, %e and others, flags), and the
 * days that follow from a date. musl's function reads all that it knows.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *__musl_strptime(const char *text, const char *format, struct tm *tm);

enum { LONGEST = 200 };

/* What musl knows by other names; a space takes any white space, or none. */
static const struct {
    char letter;
    const char *as;
} others[] = {
    {'F', "%Y-%m-%d"}, {'e', " %d"}, {'k', " %H"}, {'l', " %I"}, {'P', "%p"},
};

static const char *number(const char *text, int digits)
{
    while (digits-- > 0 && isdigit((unsigned char)*text))
        text++;
    return text;
}

/* +hh, +hhmm or +hh:mm, or Z. */
static const char *offset(const char *text, struct tm *tm)
{
    long value = 0;
    int digits = 0, sign = *text == '-' ? -1 : 1;

    if (*text == 'Z') {
        tm->tm_gmtoff = 0;
        return text + 1;
    }
    if (*text != '+' && *text != '-')
        return NULL;
    for (text++; digits < 4; text++) {
        if (*text == ':' && digits == 2)
            continue;
        if (!isdigit((unsigned char)*text))
            break;
        value = 10 * value + *text - '0';
        digits++;
    }
    if (digits != 2 && digits != 4)
        return NULL;
    if (digits == 2)
        value *= 100;
    tm->tm_gmtoff = sign * (value / 100 * 3600 + value % 100 * 60);
    return text;
}

/* A conversion that musl has not got; NULL if the text does not match. */
static const char *own(const char *text, char letter, struct tm *tm)
{
    const char *from = text += strspn(text, " \t\n\v\f\r");
    time_t seconds;

    switch (letter) {
    case 'z':
        return offset(text, tm);
    case 'Z':
        return text + strcspn(text, " \t\n\v\f\r");
    case 's':
        seconds = strtoll(text, (char **)&text, 10);
        return text != from && localtime_r(&seconds, tm) ? text : NULL;
    case 'u':
        if (*text < '1' || *text > '7')
            return NULL;
        tm->tm_wday = (*text - '0') % 7;
        return text + 1;
    default:
        text = number(text, letter == 'G' ? 4 : 2);
        return text != from ? text : NULL;
    }
}

/* The days of a date that the conversions have given, by their letters. */
static void follow(struct tm *tm, const char *seen)
{
    bool whole = strpbrk(seen, "cDx") != NULL, year = strpbrk(seen, "Yy");
    struct tm date = {.tm_year = tm->tm_year};

    whole |= year && strpbrk(seen, "mbBh") && strpbrk(seen, "de");
    if (!whole && !(year && strchr(seen, 'j')))
        return;
    date.tm_mon = whole ? tm->tm_mon : 0;
    date.tm_mday = whole ? tm->tm_mday : tm->tm_yday + 1;
    timegm(&date);
    tm->tm_mon = date.tm_mon;
    tm->tm_mday = date.tm_mday;
    tm->tm_wday = date.tm_wday;
    tm->tm_yday = date.tm_yday;
}

static void note(char *seen, const char *conversions)
{
    char letter[2] = {0};

    while ((conversions = strchr(conversions, '%')) != NULL) {
        *letter = conversions[1];
        if (strchr(seen, *letter) == NULL)
            strcat(seen, letter);
        conversions += *letter ? 2 : 1;
    }
}

char *strptime(const char *restrict text, const char *restrict format,
               struct tm *restrict tm)
{
    char known[LONGEST + 16], seen[130] = "";

    while (text != NULL && *format != 0) {
        size_t length = 0;
        char letter = 0;

        while (*format != 0 && letter == 0 && length < LONGEST) {
            char part[12] = {*format, 0};

            if (*format++ == '%') {
                size_t digits =
                    strspn(format += strspn(format, "_-^#EO"), "0123456789");

                strncat(part, format, digits < 4 ? digits : 4);
                format += digits;
                format += strspn(format, "EO");
                letter = *format && strchr("zZsuGgV", *format) ? *format : 0;
                strncat(part, format, 1);
                for (size_t i = 0; i < sizeof others / sizeof *others; i++)
                    if (*format == others[i].letter)
                        strcpy(part, others[i].as);
                format += *format != 0;
            }
            if (letter == 0) {
                strcpy(known + length, part);
                length += strlen(part);
            }
        }
        known[length] = 0;
        note(seen, known);
        text = __musl_strptime(text, known, tm);
        if (letter != 0 && text != NULL)
            text = own(text, letter, tm);
    }
    if (text != NULL)
        follow(tm, seen);
    return (char *)text;
}
