/*
 * coll_scatter.c: a block of the root's to every member. Direct: the root
 * lays a part of every block into its buffer, and all fetch theirs at the
 * same time.
 */
#include "collectives_lib.h"

#include <string.h>

static void direct(const char *in, char *out, size_t size, int root,
                   const struct rcce_group *group)
{
    size_t slot = coll_slot(group);

    for (size_t at = 0; at < size; at += slot) {
        size_t bytes = coll_min(size - at, slot);
        if (group->rank != root) {
            rcce_coll_await(group, root);
            rcce_fetch(out + at, rcce_coll_buffer + (size_t)group->rank * slot,
                       bytes, group->member[root]);
            rcce_coll_signal(group, root);
            continue;
        }
        for (int i = 0; i < group->size; i++)
            if (i != root)
                rcce_fill(rcce_coll_buffer + (size_t)i * slot,
                          in + (size_t)i * size + at, bytes);
        rcce_coll_signal_others(group);
        rcce_coll_await_others(group);
    }
}

static int simple(char *in, char *out, size_t size, int root,
                  const struct rcce_group *group)
{
    int error = RCCE_SUCCESS;

    if (group->rank != root)
        return RCCE_recv(out, size, group->member[root]);
    for (int i = 0; i < group->size && !error; i++)
        if (i != root)
            error = RCCE_send(in + (size_t)i * size, size, group->member[i]);
    return error;
}

int rcce_coll_scatter(char *in, char *out, size_t bytes, int root,
                      const struct rcce_group *group)
{
    int mine = group->rank == root;
    int error = rcce_coll_check(group, root, bytes, mine ? in : out, out);

    if (!error && root < 0)
        error = RCCE_ERROR_ID;
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    if (mine)
        memcpy(out, in + (size_t)root * bytes, bytes);
    if (RCCE_coll_choose(RCCE_COLL_SCATTER, group->size, bytes) ==
            RCCE_COLL_SIMPLE ||
        coll_slot(group) == 0)
        return simple(in, out, bytes, root, group);
    direct(in, out, bytes, root, group);
    return RCCE_SUCCESS;
}
