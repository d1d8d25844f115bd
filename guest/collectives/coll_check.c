/*
 * coll_check.c: what all calls ask of their arguments.
 */
#include "collectives_lib.h"

/* `root` is a rank, or -1 where there is none. */
int rcce_coll_check(const struct rcce_group *group, int root, size_t bytes,
                    const void *in, const void *out)
{
    if (group->size == 0 || !rcce_inbox)
        return RCCE_ERROR_COMM_UNDEFINED;
    if (root < -1 || root >= group->size)
        return RCCE_ERROR_ID;
    if (bytes == 0 || bytes > RCCE_MESSAGE_MAX)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (!in)
        return RCCE_ERROR_SOURCE;
    return out ? RCCE_SUCCESS : RCCE_ERROR_TARGET;
}
