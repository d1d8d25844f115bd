/*
 * libc_version.c: the version that the C library gives itself.
 */
#include <gnu/libc-version.h>

extern const char __libc_version[];

const char *gnu_get_libc_version(void)
{
    return __libc_version;
}

const char *gnu_get_libc_release(void)
{
    return "stable";
}
