/*
 * say.c: errors in words.
 */
#include "scc/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "scc/job.h"

void scc_say(const char *library, const char *hint, const char *format,
             va_list arguments)
{
    const struct scc_job *job = scc_job();

    fflush(stdout);
    if (job && job->rank >= 0)
        fprintf(stderr, "%s: UE %d (core %d): ", library, job->rank, job->core);
    else
        fprintf(stderr, "%s: ", library);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\nhint: %s\n", hint);
}

void scc_fail(const char *library, const char *hint, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    scc_say(library, hint, format, arguments);
    va_end(arguments);
    exit(SCC_EXIT_FAILED);
}
