/*
 * inverse.c -- asin, acos, atan, atan2.
 *
 * FPATAN knows every quadrant, zero and infinity of the C standard. For the
 * other two, sqrt((1 - x)(1 + x)) keeps all bits near 1, and is an invalid
 * operation beyond it.
 */
#include "x87.h"

static long double other_side(long double x)
{
    return x87_sqrt((1 - x) * (1 + x));
}

static long double arc_sine(long double x)
{
    return x87_patan(x, other_side(x));
}

static long double arc_cosine(long double x)
{
    return x87_patan(other_side(x), x);
}

static long double arc_tangent(long double x)
{
    return x87_patan(x, 1);
}

X87_ROUNDED_1(asin, arc_sine)
X87_ROUNDED_1(acos, arc_cosine)
X87_ROUNDED_1(atan, arc_tangent)
X87_ROUNDED_2(atan2, x87_patan)
