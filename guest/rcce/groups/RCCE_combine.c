/*
 * RCCE_combine.c: the arithmetic of reductions, element by element.
 */
#include "RCCE_lib.h"

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

size_t rcce_element_bytes(int type)
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

void rcce_combine(char *acc, const char *in, int num, int type, int op)
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

int rcce_check_reduction(const char *in, int num, int type, int op)
{
    if (op < RCCE_OP_BASE || op >= RCCE_OP_BASE + RCCE_NUM_OPS)
        return RCCE_ERROR_ILLEGAL_OP;
    if (type < RCCE_INT || type > RCCE_DOUBLE)
        return RCCE_ERROR_ILLEGAL_TYPE;
    if (num <= 0 || (size_t)num > RCCE_MESSAGE_MAX / sizeof(double))
        return RCCE_ERROR_MESSAGE_LENGTH;
    return in ? RCCE_SUCCESS : RCCE_ERROR_SOURCE;
}
