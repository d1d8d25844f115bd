/*
 * variables.c: variables in the text of wordexp().
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "words.h"

int __words_value(struct made *made, const char *value, bool quoted)
{
    const char *spaces = getenv("IFS");
    int error = 0;

    if (spaces == NULL)
        spaces = " \t\n";
    made->word.begun |= quoted;
    for (; error == 0 && *value != 0; value++)
        if (!quoted && strchr(spaces, *value) != NULL)
            error = __words_end(made);
        else
            __words_put(&made->word, *value, quoted);
    return error;
}

static bool of_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* ${name}, ${name:-other} and its kin, from behind the name; `*at` moves to
 * the closing brace. */
static int braced(struct made *made, const char **at, const char *name,
                  bool quoted)
{
    const char *value = getenv(name), *from = *at;
    bool absent = value == NULL;
    char kind, *other;
    size_t length;
    int error;

    if (*from == ':') {
        absent = absent || *value == 0;
        from++;
    }
    kind = *from;
    length = strcspn(from, "}");
    if (from[length] == 0 || strchr("}-=+?", kind) == NULL ||
        (kind == '}' && from != *at))
        return WRDE_SYNTAX;
    *at = from + length;
    if (kind == '}') {
        if (value == NULL && (made->flags & WRDE_UNDEF))
            return WRDE_BADVAL;
        return __words_value(made, value ? value : "", quoted);
    }
    if (kind == '?' && absent)
        return WRDE_BADVAL;
    if (!absent && kind != '+')
        return __words_value(made, value, quoted);
    if ((other = strndup(from + 1, length - 1)) == NULL)
        return WRDE_NOSPACE;
    if (kind == '=')
        setenv(name, other, 1);
    error = kind == '+' && absent ? 0 : __words_value(made, other, quoted);
    free(other);
    return error;
}

int __words_dollar(struct made *made, const char **at, bool quoted)
{
    const char *from = *at + 1;
    bool braces = *from == '{';
    char name[128];
    size_t length = 0;
    const char *value;

    if (*from == '(')
        return from[1] == '(' ? WRDE_SYNTAX : WRDE_CMDSUB;
    from += braces;
    while (of_name(from[length]) && length < sizeof name - 1)
        length++;
    if (length == 0 && !braces) {
        __words_put(&made->word, '$', true);
        return 0;
    }
    memcpy(name, from, length);
    name[length] = 0;
    from += length;
    if (braces) {
        *at = from;
        return length ? braced(made, at, name, quoted) : WRDE_SYNTAX;
    }
    *at = from - 1;
    value = getenv(name);
    if (value == NULL && (made->flags & WRDE_UNDEF))
        return WRDE_BADVAL;
    return __words_value(made, value ? value : "", quoted);
}
