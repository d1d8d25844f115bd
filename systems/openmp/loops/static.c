/*
 * static.c: loops whose iterations are dealt out beforehand: one part for each
 * thread, or chunks in turn. Sections are such a loop too.
 */
#include "../openmp.h"

enum {
    CHUNKED = 33,
    EQUAL = 34,
    BALANCED_CHUNKS = 45,
    DISTRIBUTED_CHUNKS = 91, /* over the teams: there is one */
    DISTRIBUTED = 92,
};

struct part {
    uint64_t first, count; /* iterations */
    uint64_t stride;       /* to this thread's next ones */
    int last;              /* the loop's last iteration is among them */
};

/* One part for each thread, of whole chunks. */
static struct part balanced_part(uint64_t trip, uint64_t chunk, uint32_t number,
                                 uint32_t size)
{
    uint64_t each = (trip + size - 1) / size, first, count;

    each = (each + chunk - 1) / chunk * chunk;
    first = number * each < trip ? number * each : trip;
    count = each < trip - first ? each : trip - first;
    return (struct part){first, count, trip,
                         count > 0 && first + count == trip};
}

static struct part part_of(int32_t kind, uint64_t trip, uint64_t chunk)
{
    uint32_t number = (uint32_t)crf_omp_self.number;
    uint32_t size = (uint32_t)crf_omp_self.size;

    if (kind == DISTRIBUTED || kind == DISTRIBUTED_CHUNKS) {
        size = 1;
        number = 0;
    }
    kind &= ~CRF_OMP_MODIFIERS;
    if (chunk < 1)
        chunk = 1;
    if (kind == BALANCED_CHUNKS) /* schedule(simd : static) */
        return balanced_part(trip, chunk, number, size);
    if (kind == CHUNKED || kind == DISTRIBUTED_CHUNKS)
        return (struct part){number * chunk, chunk, chunk * size,
                             (trip - 1) / chunk % size == number};

    uint64_t each = trip / size, more = trip % size;
    uint64_t first = number * each + (number < more ? number : more);
    uint64_t count = each + (number < more);

    return (struct part){first, count, trip,
                         count > 0 && first + count == trip};
}

/* For each type of the loop's variable. */
#define STATIC(NAME, TYPE, UNSIGNED, SIGNED)                                \
    void NAME(struct crf_place *place, int32_t thread, int32_t kind,        \
              int32_t *last, TYPE *lower, TYPE *upper, SIGNED *stride,      \
              SIGNED step, SIGNED chunk)                                    \
    {                                                                       \
        int none = step > 0 ? *upper < *lower : *lower < *upper;            \
        UNSIGNED span = step > 0 ? (UNSIGNED) * upper - (UNSIGNED) * lower  \
                                 : (UNSIGNED) * lower - (UNSIGNED) * upper; \
        UNSIGNED by = step > 0 ? (UNSIGNED)step : -(UNSIGNED)step;          \
        struct part part;                                                   \
                                                                            \
        (void)place;                                                        \
        (void)thread;                                                       \
        if (none) {                                                         \
            *last = 0;                                                      \
            *stride = step;                                                 \
            return;                                                         \
        }                                                                   \
        part = part_of(kind, (uint64_t)(span / by) + 1, (uint64_t)chunk);   \
        *last = part.last;                                                  \
        *lower = (TYPE)((UNSIGNED) * lower +                                \
                        (UNSIGNED)part.first * (UNSIGNED)step);             \
        *upper = (TYPE)((UNSIGNED) * lower +                                \
                        ((UNSIGNED)part.count - 1) * (UNSIGNED)step);       \
        *stride = (SIGNED)((UNSIGNED)part.stride * (UNSIGNED)step);         \
    }

STATIC(__kmpc_for_static_init_4, int32_t, uint32_t, int32_t)
STATIC(__kmpc_for_static_init_4u, uint32_t, uint32_t, int32_t)
STATIC(__kmpc_for_static_init_8, int64_t, uint64_t, int64_t)
STATIC(__kmpc_for_static_init_8u, uint64_t, uint64_t, int64_t)

void __kmpc_for_static_fini(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
}
