/*
 * error.h: messages of errors with the program's name, in the manner of GNU.
 */
#ifndef _ERROR_H
#define _ERROR_H

#include <sys/cdefs.h>

__BEGIN_DECLS

/* Ends the program if the status is not 0. */
void error(int status, int number, const char *format, ...)
    __attribute__((__format__(__printf__, 3, 4)));
void error_at_line(int status, int number, const char *file, unsigned int line,
                   const char *format, ...)
    __attribute__((__format__(__printf__, 5, 6)));

extern void (*error_print_progname)(void);
extern unsigned int error_message_count;
extern int error_one_per_line;

__END_DECLS

#endif
