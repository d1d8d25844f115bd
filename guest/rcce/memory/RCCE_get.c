/*
 * RCCE_get.c: from the MPB of any UE to this core.
 *
 * `source` names a place in the own MPB; the data come from the same offset
 * on `ue`. The target is private memory or the own MPB.
 */
#include "RCCE_lib.h"

static int check(t_vcharp target, t_vcharp source, int bytes, int ue)
{
    if (!rcce_valid_ue(ue))
        return RCCE_ERROR_ID;
    if (!target)
        return RCCE_ERROR_TARGET;
    if (bytes <= 0 || bytes % RCCE_LINE_SIZE != 0)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (!source || !rcce_in_buffer(source, (size_t)bytes))
        return RCCE_ERROR_SOURCE;
    if (!rcce_aligned(source))
        return RCCE_ERROR_ALIGNMENT;
    if (ue == rcce_my_rank && source < target + bytes &&
        target < source + bytes)
        return RCCE_ERROR_DATA_OVERLAP;
    return RCCE_SUCCESS;
}

int RCCE_get(t_vcharp target, t_vcharp source, int bytes, int ue)
{
    int error = check(target, source, bytes, ue);
    if (error)
        return rcce_fail(rcce_debug_comm, error);

    /* What L1 holds of the source may be from an earlier read. */
    rcce_invalidate_mpb();
    scc_copy_lines(target, rcce_on(source, ue), (size_t)bytes);
    /* The target may be MPB: its last line must not wait in the buffer. */
    if (rcce_in_buffer(target, 1))
        rcce_push_wcb();
    return RCCE_SUCCESS;
}

int RCCE_get_char(t_vcharp target, t_vcharp source, int ue)
{
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_ID);
    if (!target)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_TARGET);
    if (!source || !rcce_in_buffer(source, 1))
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_SOURCE);

    /* As in RCCE_get. */
    rcce_invalidate_mpb();
    *target = *rcce_on(source, ue);
    if (rcce_in_buffer(target, 1))
        rcce_push_wcb();
    return RCCE_SUCCESS;
}
