/*
 * iRCCE_put.c, with iRCCE_get: as RCCE_put and RCCE_get, for any number of
 * bytes and with the copies of iRCCE_memcpy.c.
 */
#include "iRCCE_lib.h"

static int check(t_vcharp mpb, t_vcharp other, int bytes, int ue, int wrong_mpb,
                 int wrong_other)
{
    if (!rcce_valid_ue(ue))
        return RCCE_ERROR_ID;
    if (!other)
        return wrong_other;
    if (bytes <= 0)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (!mpb || !rcce_in_buffer(mpb, (size_t)bytes))
        return wrong_mpb;
    if (ue == rcce_my_rank && mpb < other + bytes && other < mpb + bytes)
        return RCCE_ERROR_DATA_OVERLAP;
    return RCCE_SUCCESS;
}

int iRCCE_put(t_vcharp target, t_vcharp source, int bytes, int ue)
{
    int error =
        check(target, source, bytes, ue, RCCE_ERROR_TARGET, RCCE_ERROR_SOURCE);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    /* Fresh source, no store that stays in L1. */
    rcce_invalidate_mpb();
    ircce_copy(rcce_on(target, ue), source, (size_t)bytes, 0);
    rcce_push_wcb();
    return iRCCE_SUCCESS;
}

int iRCCE_get(t_vcharp target, t_vcharp source, int bytes, int ue)
{
    int error =
        check(source, target, bytes, ue, RCCE_ERROR_SOURCE, RCCE_ERROR_TARGET);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    int to_mpb = rcce_in_buffer(target, 1);
    rcce_invalidate_mpb();
    ircce_copy(target, rcce_on(source, ue), (size_t)bytes, !to_mpb);
    if (to_mpb)
        rcce_push_wcb();
    return iRCCE_SUCCESS;
}
