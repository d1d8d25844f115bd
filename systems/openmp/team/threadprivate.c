/*
 * threadprivate.c: variables that each thread has of its own, and keeps from
 * region to region. The program's thread has the variable itself; others have
 * a copy in shared memory, so that copyin can read and write them all.
 */
#include "../openmp.h"

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

/* Variables that C++ begins by code. In shared memory; the program's thread
 * makes them known before others have copies. */
struct with_code {
    const void *original;
    void *(*construct)(void *copy);
    struct with_code *next;
};

void __kmpc_threadprivate_register(struct crf_place *place, void *original,
                                   void *(*construct)(void *),
                                   void *(*copy)(void *, void *),
                                   void (*destroy)(void *))
{
    struct with_code *new = malloc(sizeof *new);

    (void)place;
    (void)copy;    /* Clang gives none */
    (void)destroy; /* the pool's threads do not end before the program */
    if (!new)
        crf_fail("fewer threadprivate variables",
                 "no memory for a threadprivate variable");
    *new = (struct with_code){original, construct,
                              (void *)CRF_OMP->threadprivates};
    crf_release();
    CRF_OMP->threadprivates = (uint32_t)new;
}

static void begin_by_code(const void *original, void *copy)
{
    const struct with_code *at = (void *)CRF_OMP->threadprivates;

    while (at && at->original != original)
        at = at->next;
    if (at && at->construct)
        at->construct(copy);
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
    begin_by_code(original, copy);
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
