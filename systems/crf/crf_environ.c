/*
 * crf_environ.c: the environment, one for all cores once a thread changes it.
 *
 * The C library's environment is each core's own. Its place is among the program's shared
 * data (borders/first.S), and its strings are malloc's: who orders a setenv
 * before a getenv, as by creating the thread, sees it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **crf_environ; /* null: nobody has changed anything */
static size_t room;        /* of this core's last array */

static char **all(void)
{
    if (crf_environ)
        environ = crf_environ;
    return environ;
}

static size_t count_of(char **entries)
{
    size_t count = 0;

    while (entries && entries[count])
        count++;
    return count;
}

static char **entry_of(const char *name, size_t length)
{
    char **at = all();

    while (at && *at && (strncmp(*at, name, length) || (*at)[length] != '='))
        at++;
    return at && *at ? at : NULL;
}

char *getenv(const char *name)
{
    size_t length = strcspn(name, "=");
    char **at = length && !name[length] ? entry_of(name, length) : NULL;

    return at ? *at + length + 1 : NULL;
}

/* An array that all cores see, with room for one more; the strings of the
 * program's start are copied, which lie on each core's own stack. */
static char **shared_with_room(void)
{
    char **old = all(), **entries;
    size_t count = count_of(old);

    if (crf_environ && crf_environ == old && count + 1 < room)
        return old;
    entries = malloc((2 * count + 8) * sizeof *entries);
    if (!entries)
        return NULL;
    for (size_t n = 0; n < count; n++) {
        entries[n] = crf_environ ? old[n] : strdup(old[n]);
        if (!entries[n])
            return NULL;
    }
    entries[count] = NULL;
    room = 2 * count + 8;
    crf_environ = environ = entries;
    return entries;
}

static int put(char *string, size_t length)
{
    char **entries = shared_with_room(), **at;
    size_t count;

    if (!entries)
        return -1;
    at = entry_of(string, length);
    count = count_of(entries);
    if (!at) {
        entries[count + 1] = NULL;
        at = entries + count;
    }
    *at = string;
    return 0;
}

static int is_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return 1;
    errno = EINVAL;
    return 0;
}

int unsetenv(const char *name)
{
    char **at;

    if (!is_name(name))
        return -1;
    if (!entry_of(name, strlen(name)))
        return 0;
    if (!shared_with_room())
        return -1;
    while ((at = entry_of(name, strlen(name))))
        memmove(at, at + 1, (count_of(at + 1) + 1) * sizeof *at);
    return 0;
}

int putenv(char *string)
{
    size_t length = strcspn(string, "=");

    return string[length] ? put(string, length) : unsetenv(string);
}

int setenv(const char *name, const char *value, int overwrite)
{
    size_t length, bytes;
    char *string;

    if (!is_name(name))
        return -1;
    if (!overwrite && getenv(name))
        return 0;
    length = strlen(name);
    bytes = strlen(value) + 1;
    string = malloc(length + 1 + bytes);
    if (!string)
        return -1;
    memcpy(string, name, length);
    string[length] = '=';
    memcpy(string + length + 1, value, bytes);
    return put(string, length);
}

int clearenv(void)
{
    if (!shared_with_room())
        return -1;
    *crf_environ = NULL;
    return 0;
}
