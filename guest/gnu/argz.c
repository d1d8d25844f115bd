/*
 * argz.c: vectors of strings in one block.
 */
#include <argz.h>
#include <stdlib.h>
#include <string.h>

error_t argz_append(char **argz, size_t *length, const char *other,
                    size_t other_length)
{
    char *grown;

    if (other_length == 0)
        return 0;
    grown = realloc(*argz, *length + other_length);
    if (!grown)
        return ENOMEM;
    memcpy(grown + *length, other, other_length);
    *argz = grown;
    *length += other_length;
    return 0;
}

error_t argz_add(char **argz, size_t *length, const char *text)
{
    return argz_append(argz, length, text, strlen(text) + 1);
}

static error_t all_or_none(error_t error, char **argz, size_t *length)
{
    if (error) {
        free(*argz);
        *argz = NULL;
        *length = 0;
    }
    return error;
}

error_t argz_create(char *const argv[], char **argz, size_t *length)
{
    error_t error = 0;

    *argz = NULL;
    *length = 0;
    for (size_t n = 0; argv[n] && !error; n++)
        error = argz_add(argz, length, argv[n]);
    return all_or_none(error, argz, length);
}

/* Separators in a row are one, and those at the begin none. */
error_t argz_add_sep(char **argz, size_t *length, const char *text,
                     int separator)
{
    char *made = malloc(strlen(text) + 1);
    size_t size = 0;
    error_t error;

    if (!made)
        return ENOMEM;
    for (const char *at = text; *at; at++)
        if (*at != (char)separator)
            made[size++] = *at;
        else if (size && made[size - 1])
            made[size++] = 0;
    made[size++] = 0;
    error = argz_append(argz, length, made, *text ? size : 0);
    free(made);
    return error;
}

error_t argz_create_sep(const char *text, int separator, char **argz,
                        size_t *length)
{
    *argz = NULL;
    *length = 0;
    return all_or_none(argz_add_sep(argz, length, text, separator), argz,
                       length);
}

char *argz_next(const char *argz, size_t length, const char *entry)
{
    const char *next = entry ? entry + strlen(entry) + 1 : argz;

    return length && next < argz + length ? (char *)next : NULL;
}

size_t argz_count(const char *argz, size_t length)
{
    size_t count = 0;

    for (const char *at = NULL; (at = argz_next(argz, length, at));)
        count++;
    return count;
}

void argz_extract(const char *argz, size_t length, char **argv)
{
    for (char *at = NULL; (at = argz_next(argz, length, at));)
        *argv++ = at;
    *argv = NULL;
}

void argz_stringify(char *argz, size_t length, int separator)
{
    for (size_t n = 0; n + 1 < length; n++)
        if (!argz[n])
            argz[n] = (char)separator;
}

void argz_delete(char **argz, size_t *length, char *entry)
{
    size_t size;

    if (!entry)
        return;
    size = strlen(entry) + 1;
    *length -= size;
    memmove(entry, entry + size, *length - (size_t)(entry - *argz));
    if (*length == 0) {
        free(*argz);
        *argz = NULL;
    }
}

error_t argz_insert(char **argz, size_t *length, char *before, const char *text)
{
    size_t size = strlen(text) + 1, at;
    error_t error;

    if (!before)
        return argz_add(argz, length, text);
    if (before < *argz || before >= *argz + *length)
        return EINVAL;
    while (before > *argz && before[-1])
        before--;
    at = (size_t)(before - *argz);
    error = argz_append(argz, length, text, size);
    if (error)
        return error;
    memmove(*argz + at + size, *argz + at, *length - size - at);
    memcpy(*argz + at, text, size);
    return 0;
}

static error_t replace_in(const char *from, const char *text, const char *with,
                          char **argz, size_t *length, unsigned int *count)
{
    const char *found;
    error_t error = 0;

    while (!error && (found = strstr(from, text))) {
        error = argz_append(argz, length, from, (size_t)(found - from));
        if (!error)
            error = argz_append(argz, length, with, strlen(with));
        from = found + strlen(text);
        ++*count;
    }
    return error ? error : argz_append(argz, length, from, strlen(from) + 1);
}

error_t argz_replace(char **argz, size_t *length, const char *text,
                     const char *with, unsigned int *count)
{
    char *made = NULL;
    size_t size = 0;
    unsigned int found = 0;
    error_t error = 0;

    if (!text || !*text)
        return 0;
    for (char *at = NULL; !error && (at = argz_next(*argz, *length, at));)
        error = replace_in(at, text, with ? with : "", &made, &size, &found);
    if (all_or_none(error, &made, &size))
        return error;
    free(*argz);
    *argz = made;
    *length = size;
    if (count)
        *count += found;
    return 0;
}
