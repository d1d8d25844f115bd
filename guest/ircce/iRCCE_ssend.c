/*
 * iRCCE_ssend.c: blocking messages in pieces. They queue behind those that
 * were started before.
 */
#include "iRCCE_lib.h"

int iRCCE_ssend(char *buffer, ssize_t size, int dest)
{
    return iRCCE_issend(buffer, size, dest, NULL);
}

int iRCCE_srecv(char *buffer, ssize_t size, int source)
{
    return iRCCE_isrecv(buffer, size, source, NULL);
}

int iRCCE_srecv_test(char *buffer, ssize_t size, int source, int *test)
{
    int from;

    if (!test)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_VAL_UNDEFINED);
    int error = iRCCE_iprobe(source, &from, test);
    if (error || !*test)
        return error;
    return iRCCE_srecv(buffer, size, from);
}
