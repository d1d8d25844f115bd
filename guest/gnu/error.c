/*
 * error.c: error() and error_at_line().
 */
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char *program_invocation_name;

void (*error_print_progname)(void);
unsigned int error_message_count;
int error_one_per_line;

static void begin(void)
{
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s:", program_invocation_name);
}

static void finish(int status, int number, const char *format, va_list values)
{
    vfprintf(stderr, format, values);
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    fflush(stderr);
    error_message_count++;
    if (status)
        exit(status);
}

void error(int status, int number, const char *format, ...)
{
    va_list values;

    begin();
    if (!error_print_progname)
        fputc(' ', stderr);
    va_start(values, format);
    finish(status, number, format, values);
    va_end(values);
}

void error_at_line(int status, int number, const char *file, unsigned int line,
                   const char *format, ...)
{
    static const char *last_file;
    static unsigned int last_line;
    va_list values;

    if (error_one_per_line && line == last_line && file && last_file &&
        !strcmp(file, last_file))
        return;
    last_file = file;
    last_line = line;
    begin();
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    else if (!error_print_progname)
        fputc(' ', stderr);
    va_start(values, format);
    finish(status, number, format, values);
    va_end(values);
}
