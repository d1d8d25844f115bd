/*
 * threadprivate.c: variables that each thread has of its own, and keeps from
 * region to region. The program's thread has the variable itself; others have
 * a copy in shared memory, so that copyin can read and write them all.
 */
#include "openmp.h"

#include <stdlib.h>
#include <string.h>

#define COPIES 256u /* a power of two */

static _Thread_local struct {
    const void *original;
    void *copy;
} copies[COPIES];
static const char *first_values; /* of the program's data, on this core */

extern char crf_data_first[], crf_data_last[];

/* Before any thread has changed them. */
void crf_omp_keep_first_values(void)
{
    size_t bytes = (size_t)(crf_data_last - crf_data_first);
    char *kept = crf_private_memory(bytes ? bytes : 1);

    memcpy(kept, crf_data_first, bytes);
    first_values = kept;
}

static void *new_copy(const char *original, uint32_t size)
{
    void *copy = calloc(1, size);

    if (!copy)
        crf_fail("fewer or smaller threadprivate variables",
                 "no memory for a threadprivate variable of %u bytes",
                 (unsigned)size);
    if (original >= crf_data_first && original < crf_data_last)
        memcpy(copy, first_values + (original - crf_data_first), size);
    return copy;
}

void *__kmpc_threadprivate_cached(struct crf_place *place, int32_t thread,
                                  void *original, uint32_t size, void *cache)
{
    uint32_t at = ((uint32_t)original >> 2) % COPIES;

    (void)place;
    (void)thread;
    (void)cache; /* it would be all threads' */
    if (crf_self == 0)
        return original;
    for (uint32_t n = 0; n < COPIES; n++, at = (at + 1) % COPIES) {
        if (copies[at].original == original)
            return copies[at].copy;
        if (!copies[at].original) {
            copies[at].original = original;
            copies[at].copy = new_copy(original, size);
            return copies[at].copy;
        }
    }
    crf_fail("put them into a struct", "more than %u threadprivate variables",
             (unsigned)COPIES);
}
