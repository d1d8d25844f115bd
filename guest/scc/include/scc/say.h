/* Error messages: what, where, and what to do next. Hosted half. */
#ifndef SCC_SAY_H
#define SCC_SAY_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The exit code of a program that a library ends with an error. */
#define SCC_EXIT_FAILED 1

/* Prints "LIBRARY: UE 3 (core 7): words" and, on a line of its own, "hint:
 * words" on standard error, after the program's own output so far. */
void scc_say(const char *library, const char *hint, const char *format,
             va_list arguments);
/* Prints as scc_say, and ends the program. */
void scc_fail(const char *library, const char *hint, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
