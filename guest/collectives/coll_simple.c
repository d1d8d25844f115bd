/*
 * coll_simple.c: RCCE's algorithms for a group: the root deals with one
 * member after another by synchronous messages. Vectors are combined in the
 * order of the ranks, the root's own included.
 */
#include "collectives_lib.h"

#include <string.h>

int rcce_coll_simple_bcast(char *buffer, size_t bytes, int root,
                           const struct rcce_group *group)
{
    int error = RCCE_SUCCESS;

    if (group->rank != root)
        return RCCE_recv(buffer, bytes, group->member[root]);
    for (int i = 0; i < group->size && !error; i++)
        if (i != root)
            error = RCCE_send(buffer, bytes, group->member[i]);
    return error;
}

int rcce_coll_simple_reduce(char *in, char *out, int num, int type, int op,
                            int root, const struct rcce_group *group)
{
    size_t bytes = (size_t)num * rcce_element_bytes(type);
    int error = RCCE_SUCCESS;

    if (group->rank != root)
        return RCCE_send(in, bytes, group->member[root]);
    char *sum = malloc(2 * bytes), *theirs = sum + bytes;
    if (!sum)
        return RCCE_ERROR_MALLOC;
    for (int i = 0; i < group->size && !error; i++) {
        char *place = i == 0 ? sum : theirs;
        if (i == root)
            memcpy(place, in, bytes);
        else
            error = RCCE_recv(place, bytes, group->member[i]);
        if (!error && i > 0)
            rcce_combine(sum, theirs, num, type, op);
    }
    if (!error)
        memcpy(out, sum, bytes);
    free(sum);
    return error;
}
