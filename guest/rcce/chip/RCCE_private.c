/*
 * RCCE_private.c: the functions and variables of private/RCCE_lib.h that are
 * no other names of ours. RCCE_init fills in the variables.
 */
#include "RCCE_lib.h"

int RC_MY_COREID = -1;
int RCCE_BUFF_SIZE = RCCE_BUFFER_BYTES;
t_vcharp RCCE_fool_write_combine_buffer;

void RC_cache_invalidate(void)
{
    rcce_invalidate_mpb();
}

t_vcharp RC_COMM_BUFFER_START(int ue)
{
    return rcce_valid_ue(ue) ? rcce_buffer[ue] - RCCE_LINE_SIZE : NULL;
}

int RCCE_error_return(int debug, int error)
{
    return error ? rcce_fail(debug, error) : RCCE_SUCCESS;
}
