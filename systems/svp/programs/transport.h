/*
 * transport.h: names of the transports, for programs' arguments.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svp.h"

static inline enum svp_transport transport_of(const char *name)
{
    static const char *const names[] = {"original", "direct", "remap", "copy"};

    for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
        if (strcmp(name, names[n]) == 0)
            return (enum svp_transport)n;
    fprintf(stderr, "%s is no transport: original, direct, remap or copy\n",
            name);
    exit(2);
}

#endif
