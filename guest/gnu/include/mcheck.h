/*
 * mcheck.h: checks of malloc's blocks, and a trace of them. As with glibc from
 * 2.34 on and no library of checks loaded, there are none: each function says
 * so by its result.
 */
#ifndef _MCHECK_H
#define _MCHECK_H

#include <sys/cdefs.h>

__BEGIN_DECLS

enum mcheck_status {
    MCHECK_DISABLED = -1,
    MCHECK_OK,
    MCHECK_FREE,
    MCHECK_HEAD,
    MCHECK_TAIL
};

int mcheck(void (*failed)(enum mcheck_status));
int mcheck_pedantic(void (*failed)(enum mcheck_status));
void mcheck_check_all(void);
enum mcheck_status mprobe(void *block);
void mtrace(void);
void muntrace(void);

__END_DECLS

#endif
