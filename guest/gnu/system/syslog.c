/*
 * syslog.c: no process keeps a log here, so its lines are written to stderr, as
 * LOG_PERROR asks for where one does.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#define LONGEST 1024

static char name[32];
static int options, mask = 0xff;

void openlog(const char *ident, int option, int facility)
{
    (void)facility;
    snprintf(name, sizeof name, "%s", ident ? ident : "");
    options = option;
}

void closelog(void)
{
    name[0] = 0;
    options = 0;
}

int setlogmask(int wanted)
{
    int before = mask;

    if (wanted)
        mask = wanted;
    return before;
}

/* One write, so that lines of several cores stay whole. */
void vsyslog(int priority, const char *format, va_list list)
{
    const char *who = name[0] ? name : program_invocation_short_name;
    char line[LONGEST], number[16] = "";
    size_t used;

    if (!(mask & LOG_MASK(LOG_PRI(priority))))
        return;
    if (options & LOG_PID)
        snprintf(number, sizeof number, "[%d]", (int)getpid());
    snprintf(line, sizeof line, "%s%s: ", who, number);
    used = strlen(line);
    vsnprintf(line + used, sizeof line - used - 1, format, list);
    used = strlen(line);
    if (line[used - 1] != '\n')
        line[used++] = '\n';
    (void)!write(STDERR_FILENO, line, used);
}

void syslog(int priority, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsyslog(priority, format, list);
    va_end(list);
}
