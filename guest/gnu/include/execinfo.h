/*
 * execinfo.h: the callers of a function, by their return addresses.
 */
#ifndef _EXECINFO_H
#define _EXECINFO_H

#include <sys/cdefs.h>

__BEGIN_DECLS

int backtrace(void **addresses, int most);
/* One block, for free(). A static program has no table of names: what a text
 * holds is the address, which addr2line finds in the program. */
char **backtrace_symbols(void *const *addresses, int count);
void backtrace_symbols_fd(void *const *addresses, int count, int file);

__END_DECLS

#endif
