/*
 * RCCE_reduce.c: element-wise sum, minimum, maximum or product over a
 * communicator. Compiled twice, like RCCE_flags.c.
 *
 * The root takes the members' vectors one after another in the order of
 * their ranks, so a floating-point result does not depend on timing.
 */
#include "RCCE_lib.h"

#include <string.h>

static int check(const char *in, const char *out, int num, int type, int op,
                 int root, const RCCE_COMM *comm)
{
    if (comm->initialized != RCCE_COMM_VALID)
        return RCCE_ERROR_COMM_UNDEFINED;
    if (root < 0 || root >= comm->size)
        return RCCE_ERROR_ID;
    int error = rcce_check_reduction(in, num, type, op);
    if (error)
        return error;
    if (!out && comm->my_rank == root)
        return RCCE_ERROR_TARGET;
    return RCCE_SUCCESS;
}

int RCCE_reduce(char *in, char *out, int num, int type, int op, int root,
                RCCE_COMM comm)
{
    int error = check(in, out, num, type, op, root, &comm);
    if (error)
        return rcce_fail(rcce_debug_comm, error);

    size_t bytes = (size_t)num * rcce_element_bytes(type);
    const int *member = rcce_members(&comm);
    if (comm.my_rank != root)
        return rcce_passed_on(RCCE_send(in, bytes, member[root]));

    char *theirs = malloc(bytes);
    if (!theirs)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_MALLOC);
    memmove(out, in, bytes);
    for (int i = 0; i < comm.size && !error; i++) {
        if (i == root)
            continue;
        error = RCCE_recv(theirs, bytes, member[i]);
        if (!error)
            rcce_combine(out, theirs, num, type, op);
    }
    free(theirs);
    return rcce_passed_on(error);
}

int RCCE_allreduce(char *in, char *out, int num, int type, int op,
                   RCCE_COMM comm)
{
    /* Checked here too: a member without a target would leave the others
     * waiting in the broadcast. */
    if (!out)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_TARGET);
    int error = RCCE_reduce(in, out, num, type, op, 0, comm);
    if (!error)
        error =
            RCCE_bcast(out, (size_t)num * rcce_element_bytes(type), 0, comm);
    return rcce_passed_on(error);
}
