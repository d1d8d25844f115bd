/*
 * remainder.c -- fmod, remainder, remquo.
 *
 * FPREM and FPREM1 reduce the exponent by up to 63 a time; C2 says that they
 * have not finished. All steps are exact.
 */
#define _GNU_SOURCE
#include "x87.h"

/* Bits of the status word: the quotient's low bits, and "not finished". */
enum { C0 = 0x100, C1 = 0x200, C2 = 0x400, C3 = 0x4000 };

static long double truncated(long double x, long double y)
{
    uint16_t status;

    do {
        __asm__ volatile("fprem\n\tfnstsw %1" : "+t"(x), "=a"(status) : "u"(y));
    } while (status & C2);
    return x;
}

/* The IEEE remainder, and three low bits of the quotient's magnitude. */
static long double nearest(long double x, long double y, int *quotient)
{
    long double eight = x87_scale(y, 3);
    uint16_t status;

    /* Only the last of several steps returns its quotient: let it be the only
     * one. What is left out is a multiple of 8. */
    if (x87_is_finite(x) && x87_is_finite(eight) && eight != 0)
        x = truncated(x, eight);
    do {
        __asm__ volatile("fprem1\n\tfnstsw %1"
                         : "+t"(x), "=a"(status)
                         : "u"(y));
    } while (status & C2);
    if (x87_is_nan(x)) {
        *quotient = 0;
        return x;
    }
    *quotient =
        (status & C0 ? 4 : 0) + (status & C3 ? 2 : 0) + (status & C1 ? 1 : 0);
    return x;
}

static long double remainder_of(long double x, long double y)
{
    int quotient;

    return nearest(x, y, &quotient);
}

static long double with_quotient(long double x, long double y, int *quotient)
{
    long double result = nearest(x, y, quotient);

    if (x87_negative(x) != x87_negative(y))
        *quotient = -*quotient;
    return result;
}

X87_ROUNDED_2(fmod, truncated)
X87_ROUNDED_2(remainder, remainder_of)

float dremf(float x, float y)
{
    return (float)remainder_of(x, y);
}

double drem(double x, double y)
{
    return (double)remainder_of(x, y);
}

float remquof(float x, float y, int *quotient)
{
    return (float)with_quotient(x, y, quotient);
}

double remquo(double x, double y, int *quotient)
{
    return (double)with_quotient(x, y, quotient);
}

long double remquol(long double x, long double y, int *quotient)
{
    return with_quotient(x, y, quotient);
}
