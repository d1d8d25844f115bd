/*
 * envz.c: vectors of NAME=VALUE in one block.
 */
#include <envz.h>
#include <stdlib.h>

char *envz_entry(const char *envz, size_t length, const char *name)
{
    size_t size = strcspn(name, "=");

    for (char *at = NULL; (at = argz_next(envz, length, at));)
        if (!strncmp(at, name, size) && (!at[size] || at[size] == '='))
            return at;
    return NULL;
}

char *envz_get(const char *envz, size_t length, const char *name)
{
    char *entry = envz_entry(envz, length, name);
    char *value = entry ? strchr(entry, '=') : NULL;

    return value ? value + 1 : NULL;
}

void envz_remove(char **envz, size_t *length, const char *name)
{
    argz_delete(envz, length, envz_entry(*envz, *length, name));
}

error_t envz_add(char **envz, size_t *length, const char *name,
                 const char *value)
{
    size_t size = strlen(name);
    char *text = malloc(size + (value ? strlen(value) : 0) + 2);
    error_t error;

    if (!text)
        return ENOMEM;
    strcpy(text, name);
    if (value) {
        text[size] = '=';
        strcpy(text + size + 1, value);
    }
    envz_remove(envz, length, name);
    error = argz_add(envz, length, text);
    free(text);
    return error;
}

error_t envz_merge(char **envz, size_t *length, const char *other,
                   size_t other_length, int override)
{
    error_t error = 0;

    for (char *at = NULL;
         !error && (at = argz_next(other, other_length, at));) {
        if (envz_entry(*envz, *length, at)) {
            if (!override)
                continue;
            envz_remove(envz, length, at);
        }
        error = argz_add(envz, length, at);
    }
    return error;
}

void envz_strip(char **envz, size_t *length)
{
    char *at = argz_next(*envz, *length, NULL);

    while (at && *length && at < *envz + *length) {
        if (strchr(at, '='))
            at += strlen(at) + 1;
        else
            argz_delete(envz, length, at);
    }
}
