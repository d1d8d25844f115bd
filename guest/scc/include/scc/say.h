/* Errors in words: what, where, and what to do next. Hosted half. */
#ifndef SCC_SAY_H
#define SCC_SAY_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a library ends a program with that cannot go on. */
#define SCC_EXIT_FAILED 1

/* "LIBRARY: UE 3 (core 7): words" and, on a line of its own, "hint: words", on
 * standard error; what the program has written so far comes first. */
void scc_say(const char *library, const char *hint, const char *format,
             va_list arguments);
/* And ends the program. */
void scc_fail(const char *library, const char *hint, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
