/*
 * basic.c -- absolute value, sign, maximum, minimum, difference, NaN.
 */
#define _GNU_SOURCE
#include "x87.h"

static long double larger(long double x, long double y)
{
    if (x87_is_nan(x))
        return y;
    if (x87_is_nan(y))
        return x;
    if (x == y) /* +0 is larger than -0 */
        return x87_negative(x) ? y : x;
    return x > y ? x : y;
}

static long double smaller(long double x, long double y)
{
    if (x87_is_nan(x))
        return y;
    if (x87_is_nan(y))
        return x;
    if (x == y)
        return x87_negative(x) ? x : y;
    return x < y ? x : y;
}

/* One rounding, to the precision of the result. */
static long double difference(long double x, long double y, uint16_t precision)
{
    if (x87_is_nan(x) || x87_is_nan(y))
        return x + y;
    if (!(x > y))
        return 0;
    uint16_t control = x87_set_precision(precision);

    __asm__ volatile("fsub %1, %0" : "+t"(x) : "u"(y));
    x87_restore(control);
    return x;
}

float fdimf(float x, float y)
{
    return (float)difference(x, y, X87_24);
}

double fdim(double x, double y)
{
    return (double)difference(x, y, X87_53);
}

long double fdiml(long double x, long double y)
{
    return difference(x, y, X87_64);
}

X87_ROUNDED_1(fabs, x87_abs)
X87_ROUNDED_2(copysign, x87_copysign)
X87_ROUNDED_2(fmax, larger)
X87_ROUNDED_2(fmin, smaller)

int finitef(float x)
{
    return x87_is_finite(x);
}

int finite(double x)
{
    return x87_is_finite(x);
}

/* The text that may choose a NaN's payload is not used. */
float nanf(const char *text)
{
    (void)text;
    return __builtin_nanf("");
}

double nan(const char *text)
{
    (void)text;
    return __builtin_nan("");
}

long double nanl(const char *text)
{
    (void)text;
    return __builtin_nanl("");
}
