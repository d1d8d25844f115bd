/*
 * iRCCE_gory.c: iRCCE's names for MPB memory and flags of RCCE.
 */
#include "iRCCE_lib.h"

t_vcharp iRCCE_malloc(size_t size)
{
    return RCCE_malloc(size);
}

int iRCCE_flag_alloc(RCCE_FLAG *flag)
{
    return RCCE_flag_alloc(flag);
}

int iRCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue)
{
    return RCCE_flag_write(flag, status, ue);
}

int iRCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue)
{
    return RCCE_flag_read(flag, status, ue);
}

int iRCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS status)
{
    return RCCE_wait_until(flag, status);
}
