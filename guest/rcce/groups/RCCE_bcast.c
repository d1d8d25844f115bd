/*
 * RCCE_bcast.c: one member's buffer to all members of a communicator, by
 * one synchronous message to each in the order of their ranks. Compiled
 * twice, like RCCE_flags.c.
 */
#include "RCCE_lib.h"

int RCCE_bcast(char *buffer, size_t size, int root, RCCE_COMM comm)
{
    if (comm.initialized != RCCE_COMM_VALID)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_COMM_UNDEFINED);
    if (root < 0 || root >= comm.size)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_ID);
    if (!buffer)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_SOURCE);
    if (size == 0 || size > RCCE_MESSAGE_MAX)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_MESSAGE_LENGTH);

    const int *member = rcce_members(&comm);
    if (comm.my_rank != root)
        return rcce_passed_on(RCCE_recv(buffer, size, member[root]));
    int error = RCCE_SUCCESS;
    for (int i = 0; i < comm.size && !error; i++)
        if (i != root)
            error = RCCE_send(buffer, size, member[i]);
    return rcce_passed_on(error);
}
