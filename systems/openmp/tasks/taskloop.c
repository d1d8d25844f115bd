/*
 * taskloop.c: a loop whose parts are tasks.
 */
#include "../openmp.h"

#include <stdlib.h>
#include <string.h>

/* What follows the body of a taskloop's task. */
struct loop_body {
    struct crf_omp_body body;
    uint64_t lower, upper;
    int64_t step;
    int32_t last;
} __attribute__((packed, aligned(4)));

typedef void duplicate(struct crf_omp_body *to, struct crf_omp_body *from,
                       int32_t last);

static struct crf_omp_body *copy_of(struct crf_omp_body *body)
{
    struct crf_omp_header *from = crf_omp_header(body);
    struct crf_omp_header *to = malloc(sizeof *to + from->bytes);
    struct crf_omp_body *copy;

    if (!to)
        crf_fail("a larger grainsize", "no memory for the tasks of a taskloop");
    memcpy(to, from, sizeof *to + from->bytes);
    copy = (struct crf_omp_body *)(void *)(to + 1);
    if (body->shareds)
        copy->shareds = (char *)copy + (body->shareds - (char *)body);
    return copy;
}

enum { GRAINSIZE = 1, TASKS };

/* How many tasks: by grainsize, by num_tasks, or two a thread. */
static uint64_t parts_of(uint64_t trip, int32_t kind, uint64_t value)
{
    uint64_t parts = 2 * (uint64_t)crf_omp_self.size;

    if (kind == GRAINSIZE)
        parts = value ? trip / value : trip;
    else if (kind == TASKS)
        parts = value;
    if (parts > trip)
        parts = trip;
    return parts ? parts : 1;
}

/* Iterations of the loop's part: as equal as can be, or so many. */
static uint64_t count_of(uint64_t trip, uint64_t parts, uint64_t number,
                         uint64_t exactly)
{
    if (!exactly)
        return trip / parts + (number < trip % parts);
    return number + 1 < parts ? exactly : trip - number * exactly;
}

void __kmpc_taskloop_5(struct crf_place *place, int32_t thread,
                       struct crf_omp_body *body, int32_t wanted,
                       uint64_t *lower, uint64_t *upper, int64_t step,
                       int32_t no_group, int32_t kind, uint64_t value,
                       int32_t strict, duplicate *copy_private)
{
    uint64_t first = *lower, trip, parts, done = 0, exactly = 0;

    if (!no_group)
        __kmpc_taskgroup(place, thread);
    trip = step > 0 ? (*upper - first) / (uint64_t)step + 1
                    : (first - *upper) / -(uint64_t)step + 1;
    if (step > 0 ? (int64_t)*upper < (int64_t)first
                 : (int64_t)first < (int64_t)*upper)
        trip = 0;
    parts = parts_of(trip, kind, value);
    if (strict && kind == GRAINSIZE && value) {
        exactly = value;
        parts = (trip + value - 1) / value;
    }
    for (uint64_t n = 0; n < parts && trip; n++) {
        struct crf_omp_body *part = copy_of(body);
        struct loop_body *loop = (struct loop_body *)(void *)part;
        uint64_t count = count_of(trip, parts, n, exactly);

        loop->lower = first + done * (uint64_t)step;
        loop->upper = loop->lower + (count - 1) * (uint64_t)step;
        loop->last = n + 1 == parts;
        if (copy_private)
            copy_private(part, body, loop->last);
        done += count;
        if (wanted)
            crf_omp_submit(part, 0, NULL);
        else
            crf_omp_run_now(part);
    }
    if (!no_group)
        __kmpc_end_taskgroup(place, thread);
    free(crf_omp_header(body));
}

void __kmpc_taskloop(struct crf_place *place, int32_t thread,
                     struct crf_omp_body *body, int32_t wanted, uint64_t *lower,
                     uint64_t *upper, int64_t step, int32_t no_group,
                     int32_t kind, uint64_t value, duplicate *copy_private)
{
    __kmpc_taskloop_5(place, thread, body, wanted, lower, upper, step, no_group,
                      kind, value, 0, copy_private);
}
