/*
 * mcheck.c: the checks of malloc's blocks that there are not.
 */
#include <mcheck.h>

int mcheck(void (*failed)(enum mcheck_status))
{
    (void)failed;
    return -1;
}

int mcheck_pedantic(void (*failed)(enum mcheck_status))
{
    (void)failed;
    return -1;
}

void mcheck_check_all(void)
{
}

enum mcheck_status mprobe(void *block)
{
    (void)block;
    return MCHECK_DISABLED;
}

void mtrace(void)
{
}

void muntrace(void)
{
}
