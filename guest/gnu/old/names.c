/*
 * names.c: the names of errors and signals as tables, as programs of the SCC's
 * time take them: they declare the tables themselves.
 */
#include <signal.h>
#include <string.h>

#define ERRORS 134

const char *sys_errlist[ERRORS];
const int sys_nerr = ERRORS;
const char *sys_siglist[NSIG];

__attribute__((constructor)) static void fill(void)
{
    for (int n = 0; n < ERRORS; n++)
        sys_errlist[n] = strerror(n);
    sys_errlist[0] = "Success";
    for (int n = 1; n < NSIG; n++)
        sys_siglist[n] = strsignal(n);
}
