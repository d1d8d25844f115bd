/*
 * RCCE_reduce.c: element-wise sum, minimum, maximum or product over a
 * communicator.
 *
 * The root takes the members' vectors one after another in the order of
 * their ranks, so a floating-point result does not depend on timing.
 */
#include "RCCE_lib.h"

#include <string.h>

/* acc[i] = acc[i] op in[i] for vectors of one type. */
#define DEFINE_COMBINE(name, element)                                  \
    static void name(element *acc, const element *in, int num, int op) \
    {                                                                  \
        for (int i = 0; i < num; i++) {                                \
            if (op == RCCE_SUM)                                        \
                acc[i] += in[i];                                       \
            else if (op == RCCE_PROD)                                  \
                acc[i] *= in[i];                                       \
            else if (op == RCCE_MIN ? in[i] < acc[i] : in[i] > acc[i]) \
                acc[i] = in[i];                                        \
        }                                                              \
    }

DEFINE_COMBINE(combine_int, int)
DEFINE_COMBINE(combine_long, long)
DEFINE_COMBINE(combine_float, float)
DEFINE_COMBINE(combine_double, double)

static size_t element_bytes(int type)
{
    switch (type) {
    case RCCE_INT:
        return sizeof(int);
    case RCCE_LONG:
        return sizeof(long);
    case RCCE_FLOAT:
        return sizeof(float);
    default:
        return sizeof(double);
    }
}

static void combine(char *acc, const char *in, int num, int type, int op)
{
    if (type == RCCE_INT)
        combine_int((int *)acc, (const int *)in, num, op);
    else if (type == RCCE_LONG)
        combine_long((long *)acc, (const long *)in, num, op);
    else if (type == RCCE_FLOAT)
        combine_float((float *)acc, (const float *)in, num, op);
    else
        combine_double((double *)acc, (const double *)in, num, op);
}

static int check(const char *in, const char *out, int num, int type, int op,
                 int root, const RCCE_COMM *comm)
{
    if (comm->initialized != RCCE_COMM_VALID)
        return RCCE_ERROR_COMM_UNDEFINED;
    if (root < 0 || root >= comm->size)
        return RCCE_ERROR_ID;
    if (op < RCCE_OP_BASE || op >= RCCE_OP_BASE + RCCE_NUM_OPS)
        return RCCE_ERROR_ILLEGAL_OP;
    if (type < RCCE_INT || type > RCCE_DOUBLE)
        return RCCE_ERROR_ILLEGAL_TYPE;
    if (num <= 0)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (!in)
        return RCCE_ERROR_SOURCE;
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

    size_t bytes = (size_t)num * element_bytes(type);
    if (comm.my_rank != root)
        return RCCE_send(in, bytes, comm.member[root]);

    char *theirs = malloc(bytes);
    if (!theirs)
        return rcce_fail(rcce_debug_comm, RCCE_ERROR_MALLOC);
    memmove(out, in, bytes);
    for (int i = 0; i < comm.size && !error; i++) {
        if (i == root)
            continue;
        error = RCCE_recv(theirs, bytes, comm.member[i]);
        if (!error)
            combine(out, theirs, num, type, op);
    }
    free(theirs);
    return error;
}

int RCCE_allreduce(char *in, char *out, int num, int type, int op,
                   RCCE_COMM comm)
{
    /* Checked here too: a member without a target would leave the others
     * waiting in the broadcast. */
    int error = out ? RCCE_reduce(in, out, num, type, op, 0, comm)
                    : rcce_fail(rcce_debug_comm, RCCE_ERROR_TARGET);
    if (error)
        return error;
    return RCCE_bcast(out, (size_t)num * element_bytes(type), 0, comm);
}
