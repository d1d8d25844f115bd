/*
 * affinity.c: where threads are, as a text: omp_display_affinity and the
 * format that it is given. A thread is bound to its core.
 */
#include "../openmp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usual[] =
    "level %L thread %i of %N on %{host} core %A"; /* which OpenMP leaves open */
static char format[256];

/* The program's thread alone sets it, and before others ask. */
static const char *format_now(void)
{
    const char *of_environment = getenv("OMP_AFFINITY_FORMAT");

    if (!*format)
        snprintf(format, sizeof format, "%s",
                 of_environment ? of_environment : usual);
    return format;
}

void omp_set_affinity_format(const char *new)
{
    snprintf(format, sizeof format, "%s", new);
}

size_t omp_get_affinity_format(char *buffer, size_t bytes)
{
    if (bytes)
        snprintf(buffer, bytes, "%s", format_now());
    return strlen(format_now());
}

static const struct {
    const char *name;
    char letter;
} fields[] = {
    {"team_num", 't'},
    {"num_teams", 'T'},
    {"nesting_level", 'L'},
    {"thread_num", 'n'},
    {"num_threads", 'N'},
    {"ancestor_tnum", 'a'},
    {"host", 'H'},
    {"process_id", 'P'},
    {"native_thread_id", 'i'},
    {"thread_affinity", 'A'},
};

/* The field's letter, from its letter or its name in braces. */
static char letter_of(const char **at)
{
    size_t length = strcspn(*at, "}");

    if (**at != '{')
        return **at ? *(*at)++ : 0;
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++)
        if (strlen(fields[n].name) == length - 1 &&
            strncmp(fields[n].name, *at + 1, length - 1) == 0) {
            *at += length + ((*at)[length] == '}');
            return fields[n].letter;
        }
    *at += length + ((*at)[length] == '}');
    return 0;
}

/* False: it is a text, not a number. */
static int number_of(char letter, int *number)
{
    switch (letter) {
    case 't':
        *number = omp_get_team_num();
        return 1;
    case 'T':
        *number = omp_get_num_teams();
        return 1;
    case 'L':
        *number = omp_get_level();
        return 1;
    case 'n':
        *number = omp_get_thread_num();
        return 1;
    case 'N':
        *number = omp_get_num_threads();
        return 1;
    case 'a':
        *number = omp_get_ancestor_thread_num(omp_get_level() - 1);
        return 1;
    case 'P':
        *number = (int)getpid();
        return 1;
    case 'i':
        *number = (int)crf_self;
        return 1;
    case 'A':
        *number = crf_core_of[crf_my_rank];
        return 1;
    default:
        return 0;
    }
}

/* %[[0].width]field: with a point to the right, with 0 filled up. */
static int one_field(char *to, size_t bytes, const char **at)
{
    int zeros = **at == '0', right, width, number;
    char letter, host[65] = "undefined";

    *at += zeros;
    right = **at == '.';
    *at += right;
    width =
        isdigit((unsigned char)**at) ? (int)strtol(*at, (char **)at, 10) : 0;
    letter = letter_of(at);
    if (letter == '%')
        return snprintf(to, bytes, "%%");
    if (number_of(letter, &number))
        return snprintf(to, bytes,
                        !right  ? "%-*d"
                        : zeros ? "%0*d"
                                : "%*d",
                        width, number);
    if (letter == 'H')
        gethostname(host, sizeof host);
    return snprintf(to, bytes, right ? "%*s" : "%-*s", width, host);
}

size_t omp_capture_affinity(char *buffer, size_t bytes, const char *wanted)
{
    const char *at = wanted && *wanted ? wanted : format_now();
    size_t length = 0;

    if (bytes)
        *buffer = 0;
    while (*at) {
        size_t left = length < bytes ? bytes - length : 0;
        char *to = left ? buffer + length : NULL;

        if (*at == '%') {
            at++;
            length += (size_t)one_field(to, left, &at);
        } else {
            length += (size_t)snprintf(to, left, "%c", *at++);
        }
    }
    return length;
}

void omp_display_affinity(const char *wanted)
{
    size_t bytes = omp_capture_affinity(NULL, 0, wanted) + 1;
    char *text = malloc(bytes);

    if (!text)
        return;
    omp_capture_affinity(text, bytes, wanted);
    fprintf(stderr, "%s\n", text);
    free(text);
}
