/*
 * gnu/libc-version.h: the C library's version, which is musl's here.
 */
#ifndef _GNU_LIBC_VERSION_H
#define _GNU_LIBC_VERSION_H

#include <sys/cdefs.h>

__BEGIN_DECLS

const char *gnu_get_libc_release(void);
const char *gnu_get_libc_version(void);

__END_DECLS

#endif
