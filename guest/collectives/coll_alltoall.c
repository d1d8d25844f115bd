/*
 * coll_alltoall.c: a block from everybody to everybody. Direct: all lay a
 * part of each of their blocks into their buffers and fetch from all others,
 * each beginning with its neighbour, so that nobody is asked by all at once.
 */
#include "collectives_lib.h"

#include <string.h>

static void direct(const char *in, char *out, size_t size,
                   const struct rcce_group *group)
{
    size_t slot = coll_slot(group);

    for (size_t at = 0; at < size; at += slot) {
        size_t bytes = coll_min(size - at, slot);
        for (int i = 0; i < group->size; i++)
            rcce_fill(rcce_coll_buffer + (size_t)i * slot,
                      in + (size_t)i * size + at, bytes);
        rcce_coll_synchronize(group);
        for (int n = 1; n < group->size; n++) {
            int i = (group->rank + n) % group->size;
            rcce_fetch(out + (size_t)i * size + at,
                       rcce_coll_buffer + (size_t)group->rank * slot, bytes,
                       group->member[i]);
        }
        rcce_coll_synchronize(group);
    }
}

/* In round k the ranks that add up to k (modulo the size) exchange; the
 * lower one sends first. */
static int simple(char *in, char *out, size_t size,
                  const struct rcce_group *group)
{
    int error = RCCE_SUCCESS;

    for (int k = 0; k < group->size && !error; k++) {
        int i = (k - group->rank + group->size) % group->size;
        char *mine = in + (size_t)i * size, *theirs = out + (size_t)i * size;
        if (i == group->rank)
            continue;
        if (group->rank < i)
            error = RCCE_send(mine, size, group->member[i]);
        if (!error)
            error = RCCE_recv(theirs, size, group->member[i]);
        if (!error && group->rank > i)
            error = RCCE_send(mine, size, group->member[i]);
    }
    return error;
}

int rcce_coll_alltoall(char *in, char *out, size_t bytes,
                       const struct rcce_group *group)
{
    int error = rcce_coll_check(group, -1, bytes, in, out);

    if (error)
        return rcce_fail(rcce_debug_comm, error);
    size_t own = (size_t)group->rank * bytes;
    memcpy(out + own, in + own, bytes);
    if (RCCE_coll_choose(RCCE_COLL_ALLTOALL, group->size, bytes) ==
            RCCE_COLL_SIMPLE ||
        coll_slot(group) == 0)
        return simple(in, out, bytes, group);
    direct(in, out, bytes, group);
    return RCCE_SUCCESS;
}
