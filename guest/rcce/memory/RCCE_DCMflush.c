/*
 * RCCE_DCMflush.c: writing back what the caches hold of shared memory.
 *
 * Needed by programs that map shared DRAM cached (/dev/rckdcm): what they
 * wrote reaches memory only when it leaves L2, and what they read stays in
 * L1 and L2 as it was. The kernel displaces every line of both.
 */
#include "RCCE_lib.h"

int RCCE_DCMflush(void)
{
    if (!rcce_flush_l2())
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    return RCCE_SUCCESS;
}
