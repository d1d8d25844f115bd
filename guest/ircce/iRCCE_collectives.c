/*
 * iRCCE_collectives.c: iRCCE's barrier and broadcast are those that scale.
 */
#include "iRCCE_lib.h"

#include "RCCE_collectives.h"

int iRCCE_barrier(RCCE_COMM *comm)
{
    return RCCE_coll_barrier(comm ? comm : &RCCE_COMM_WORLD);
}

int iRCCE_bcast(char *buffer, size_t size, int root, RCCE_COMM comm)
{
    return RCCE_coll_bcast(buffer, size, root, comm);
}
