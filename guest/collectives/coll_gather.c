/*
 * coll_gather.c: every member's block to the root. Direct: all fill their
 * buffers at the same time, the root fetches.
 */
#include "collectives_lib.h"

#include <string.h>

static void direct(const char *in, char *out, size_t size, int root,
                   const struct rcce_group *group)
{
    for (size_t at = 0; at < size; at += rcce_coll_bytes) {
        size_t bytes = coll_min(size - at, rcce_coll_bytes);
        if (group->rank != root) {
            rcce_fill(rcce_coll_buffer, in + at, bytes);
            rcce_coll_signal(group, root);
            rcce_coll_await(group, root);
            continue;
        }
        for (int i = 0; i < group->size; i++) {
            if (i == root)
                continue;
            rcce_coll_await(group, i);
            rcce_fetch(out + (size_t)i * size + at, rcce_coll_buffer, bytes,
                       group->member[i]);
            rcce_coll_signal(group, i);
        }
    }
}

static int simple(char *in, char *out, size_t size, int root,
                  const struct rcce_group *group)
{
    int error = RCCE_SUCCESS;

    if (group->rank != root)
        return RCCE_send(in, size, group->member[root]);
    for (int i = 0; i < group->size && !error; i++)
        if (i != root)
            error = RCCE_recv(out + (size_t)i * size, size, group->member[i]);
    return error;
}

int rcce_coll_gather(char *in, char *out, size_t bytes, int root,
                     const struct rcce_group *group)
{
    int mine = group->rank == root;
    int error = rcce_coll_check(group, root, bytes, in, mine ? out : in);

    if (!error && root < 0)
        error = RCCE_ERROR_ID;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    if (mine)
        memcpy(out + (size_t)root * bytes, in, bytes);
    if (RCCE_coll_choose(RCCE_COLL_GATHER, group->size, bytes) ==
        RCCE_COLL_SIMPLE)
        return simple(in, out, bytes, root, group);
    direct(in, out, bytes, root, group);
    return RCCE_SUCCESS;
}
