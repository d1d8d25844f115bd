/*
 * error.c: errors of the program, for who watches from outside.
 */
#include "../threads.h"

int crf_error_at(int error, const void *site)
{
    (void)site;
    return error < CRF_NOT_INITIALISED ? error : 0;
}

int crf_is_blank(const void *at, size_t bytes)
{
    const uint32_t *words = at;

    for (size_t n = 0; n < bytes / sizeof *words; n++)
        if (words[n])
            return 0;
    return 1;
}
