/*
 * coll_reduce.c: reductions from message buffer to message buffer.
 *
 * Direct: everybody (or the root) reads and combines all vectors itself: the
 * fewest steps, for vectors of a line or so. Slices: of each part of the
 * vector that fits into the buffer everybody combines a slice, and the
 * results are read from all: the work is shared, each byte crosses the mesh
 * twice. Both take the vectors in the order of the ranks.
 */
#include "collectives_lib.h"

#include <string.h>

struct reduction {
    int type, op, root; /* root -1: all */
    const struct rcce_group *group;
};

/* Combines `bytes` at offset `at` of all buffers into `acc`. */
static void combine_all(const struct reduction *r, char *acc, char *theirs,
                        size_t at, size_t bytes)
{
    const struct rcce_group *group = r->group;
    t_vcharp from = rcce_coll_buffer + at;
    int num = (int)(bytes / rcce_element_bytes(r->type));

    rcce_fetch(acc, from, bytes, group->member[0]);
    for (int i = 1; i < group->size; i++) {
        rcce_fetch(theirs, from, bytes, group->member[i]);
        rcce_combine(acc, theirs, num, r->type, r->op);
    }
}

static void direct(const struct reduction *r, char *in, char *out, char *theirs,
                   size_t bytes)
{
    rcce_fill(rcce_coll_buffer, in, bytes);
    if (r->root < 0) {
        rcce_coll_synchronize(r->group);
        combine_all(r, out, theirs, 0, bytes);
        rcce_coll_synchronize(r->group);
    } else if (r->root == r->group->rank) {
        rcce_coll_await_others(r->group);
        combine_all(r, out, theirs, 0, bytes);
        rcce_coll_signal_others(r->group);
    } else {
        rcce_coll_signal(r->group, r->root);
        rcce_coll_await(r->group, r->root);
    }
}

/* The bytes [start, end) of a part that member `rank` combines. */
static size_t slice(const struct rcce_group *group, size_t bytes, int rank)
{
    size_t lines = coll_round(bytes) / RCCE_LINE_SIZE;

    return coll_min(lines * (size_t)rank / (size_t)group->size * RCCE_LINE_SIZE,
                    bytes);
}

static void slices(const struct reduction *r, char *in, char *out,
                   char *scratch, size_t half, size_t bytes)
{
    const struct rcce_group *group = r->group;
    t_vcharp results = rcce_coll_buffer + half;
    size_t start = slice(group, bytes, group->rank);
    size_t end = slice(group, bytes, group->rank + 1);

    rcce_fill(rcce_coll_buffer, in, bytes);
    rcce_coll_synchronize(group);
    if (end > start) {
        combine_all(r, scratch, scratch + half, start, end - start);
        rcce_fill(results + start, scratch, end - start);
    }
    rcce_coll_synchronize(group);
    for (int i = 0; i < group->size && (r->root < 0 || r->root == group->rank);
         i++) {
        start = slice(group, bytes, i);
        end = slice(group, bytes, i + 1);
        if (end > start)
            rcce_fetch(out + start, results + start, end - start,
                       group->member[i]);
    }
}

static int in_parts(const struct reduction *r, char *in, char *out, int num,
                    int direct_way)
{
    size_t size = (size_t)num * rcce_element_bytes(r->type);
    size_t half = rcce_coll_bytes / 2 & ~(size_t)(RCCE_LINE_SIZE - 1);
    char *scratch = malloc(2 * half);

    if (!scratch)
        return RCCE_ERROR_MALLOC;
    for (size_t at = 0; at < size; at += half) {
        size_t bytes = coll_min(size - at, half);
        if (direct_way)
            direct(r, in + at, out ? out + at : NULL, scratch, bytes);
        else
            slices(r, in + at, out ? out + at : NULL, scratch, half, bytes);
    }
    /* The last results may still be read. */
    if (!direct_way)
        rcce_coll_synchronize(r->group);
    free(scratch);
    return RCCE_SUCCESS;
}

int rcce_coll_reduce(char *in, char *out, int num, int type, int op, int root,
                     const struct rcce_group *group)
{
    struct reduction r = {type, op, root, group};
    int error = rcce_check_reduction(in, num, type, op);
    int needs = root < 0 || root == group->rank;
    size_t bytes = (size_t)num * rcce_element_bytes(type);

    if (!error)
        error = rcce_coll_check(group, root, bytes, in, needs ? out : in);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    int call = root < 0 ? RCCE_COLL_ALLREDUCE : RCCE_COLL_REDUCE;
    int algorithm =
        (int)RCCE_coll_choose((enum RCCE_coll_call)call, group->size, bytes);
    if (algorithm != RCCE_COLL_SIMPLE) {
        error = in_parts(&r, in, out, num, algorithm == RCCE_COLL_DIRECT);
    } else {
        error = rcce_coll_simple_reduce(in, out, num, type, op,
                                        root < 0 ? 0 : root, group);
        if (!error && root < 0)
            error = rcce_coll_simple_bcast(out, bytes, 0, group);
    }
    return error ? rcce_fail(rcce_debug_comm, error) : RCCE_SUCCESS;
}
