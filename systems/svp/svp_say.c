/*
 * svp_say.c: errors in words: what, where, and a hint.
 */
#include "svp_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Before messages have a way all cores find the same: rank 0 prints. */
void svp_fail(const char *hint, const char *format, ...)
{
    const struct family *family = svp_now ? svp_now->family : NULL;
    va_list arguments;

    fflush(stdout);
    if (!svp_wire && svp_me != 0)
        exit(1);
    svp_tells();
    fprintf(stderr, "svp: core %d: ", svp_core ? svp_core[svp_me] : 0);
    if (family && family != &svp_root)
        fprintf(stderr, "thread %d of %s: ", svp_now->index,
                family->function->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nhint: %s\n", hint);
    if (svp_wire)
        svp_wire->abort();
    exit(1);
}
