/*
 * exponent.c -- taking numbers apart and scaling them.
 */
#define _GNU_SOURCE
#include "x87.h"

#include <limits.h>

/* More than any scaling that is not 0 or infinite anyway. */
enum { SCALE_LIMIT = 40000 };

static long double scale_by(long double x, long n)
{
    if (n > SCALE_LIMIT)
        n = SCALE_LIMIT;
    if (n < -SCALE_LIMIT)
        n = -SCALE_LIMIT;
    return x87_scale(x, n);
}

#define SCALE(name, type)                      \
    float name##f(float x, type n)             \
    {                                          \
        return (float)scale_by(x, n);          \
    }                                          \
    double name(double x, type n)              \
    {                                          \
        return (double)scale_by(x, n);         \
    }                                          \
    long double name##l(long double x, type n) \
    {                                          \
        return scale_by(x, n);                 \
    }

SCALE(ldexp, int)
SCALE(scalbn, int)
SCALE(scalbln, long)

static long double scale_whole(long double x, long double n)
{
    if (x87_is_nan(x) || x87_is_nan(n))
        return x + n;
    if (!x87_is_finite(n))
        return x87_negative(n) ? x / -n : x * n;
    if (x87_rint(n) != n)
        return (n - n) / (n - n); /* invalid */
    if (x87_abs(n) > SCALE_LIMIT)
        n = x87_copysign(SCALE_LIMIT, n);
    return x87_scale(x, n);
}

float scalbf(float x, float n)
{
    return (float)scale_whole(x, n);
}

double scalb(double x, double n)
{
    return (double)scale_whole(x, n);
}

/* x = result * 2^exponent with 1/2 <= |result| < 1. */
static long double fraction(long double x, int *exponent)
{
    union x87_bits bits = {x};

    *exponent = 0;
    if (x == 0 || !x87_is_finite(x))
        return x;
    if (x87_exponent(x) == 0) {
        bits.value = x * 0x1p66L;
        *exponent = -66;
    }
    *exponent += (bits.part.sign_exponent & X87_EXPONENT_MASK) - (X87_BIAS - 1);
    bits.part.sign_exponent =
        (uint16_t)((bits.part.sign_exponent & X87_SIGN) | (X87_BIAS - 1));
    return bits.value;
}

float frexpf(float x, int *exponent)
{
    return (float)fraction(x, exponent);
}

double frexp(double x, int *exponent)
{
    return (double)fraction(x, exponent);
}

long double frexpl(long double x, int *exponent)
{
    return fraction(x, exponent);
}

/* x = result * 2^logb(x). */
static long double significand_of(long double x)
{
    int exponent;
    long double half = fraction(x, &exponent);

    return x == 0 || !x87_is_finite(x) ? x : 2 * half;
}

float significandf(float x)
{
    return (float)significand_of(x);
}

double significand(double x)
{
    return (double)significand_of(x);
}

static int exponent_of(long double x)
{
    int exponent;

    if (x == 0)
        return FP_ILOGB0;
    if (x87_is_nan(x))
        return FP_ILOGBNAN;
    if (!x87_is_finite(x))
        return INT_MAX;
    fraction(x, &exponent);
    return exponent - 1;
}

static long double exponent_value(long double x)
{
    if (x == 0)
        return -1 / x87_abs(x);
    if (!x87_is_finite(x))
        return x * x;
    return exponent_of(x);
}

int ilogbf(float x)
{
    return exponent_of(x);
}

int ilogb(double x)
{
    return exponent_of(x);
}

int ilogbl(long double x)
{
    return exponent_of(x);
}

X87_ROUNDED_1(logb, exponent_value)

/* The whole part, and the rest with the sign of x. */
static long double split(long double x, long double *whole)
{
    *whole = truncl(x);
    if (x87_is_nan(x))
        return x;
    return x87_copysign(x87_is_finite(x) ? x - *whole : 0, x);
}

float modff(float x, float *whole)
{
    long double part, rest = split(x, &part);

    *whole = (float)part;
    return (float)rest;
}

double modf(double x, double *whole)
{
    long double part, rest = split(x, &part);

    *whole = (double)part;
    return (double)rest;
}

long double modfl(long double x, long double *whole)
{
    return split(x, whole);
}
