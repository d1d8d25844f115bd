/*
 * RCCE_put.c: from this core into the MPB of any UE.
 *
 * `target` names a place in the own MPB; the data go to the same offset on
 * `ue`. On return they have left this core: the last line was pushed out.
 */
#include "RCCE_lib.h"

static int check(t_vcharp target, t_vcharp source, int bytes, int ue)
{
    if (!rcce_valid_ue(ue))
        return RCCE_ERROR_ID;
    if (!source)
        return RCCE_ERROR_SOURCE;
    if (bytes <= 0 || bytes % RCCE_LINE_SIZE != 0)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (!target || !rcce_in_buffer(target, (size_t)bytes))
        return RCCE_ERROR_TARGET;
    if (!rcce_aligned(target))
        return RCCE_ERROR_ALIGNMENT;
    if (ue == rcce_my_rank && source < target + bytes &&
        target < source + bytes)
        return RCCE_ERROR_DATA_OVERLAP;
    return RCCE_SUCCESS;
}

int RCCE_put(t_vcharp target, t_vcharp source, int bytes, int ue)
{
    int error = check(target, source, bytes, ue);
    if (error)
        return rcce_fail(rcce_debug_comm, error);

    /* The source may be MPB, then L1 may hold old lines of it; and a store
     * must not hit a line of the target in L1 and stay there. */
    rcce_invalidate_mpb();
    scc_copy_lines(rcce_on(target, ue), source, (size_t)bytes);
    /* A flag written after this must not overtake the last line. */
    rcce_push_wcb();
    return RCCE_SUCCESS;
}

/* One byte. The line's other bytes stay as they are: the write-combine
 * buffer leaves with byte enables. */
int RCCE_put_char(t_vcharp target, t_vcharp source, int ue)
{
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_ID);
    if (!source)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_SOURCE);
    if (!target || !rcce_in_buffer(target, 1))
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_TARGET);

    /* As in RCCE_put: fresh source, no store that stays in L1. */
    rcce_invalidate_mpb();
    *rcce_on(target, ue) = *source;
    /* A single byte never fills the buffer. */
    rcce_push_wcb();
    return RCCE_SUCCESS;
}
