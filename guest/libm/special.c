/*
 * special.c -- error function, gamma function, Bessel functions.
 *
 * musl's long double forms of these are series in long double arithmetic,
 * which the x87 does exactly as they expect. Its float and double forms rely
 * on results being rounded to their type, which the x87 does not do. Of the
 * Bessel functions it has float and double: double's serve both.
 */
#define _GNU_SOURCE
#include "x87.h"

long double __lgammal_r(long double x, int *sign);

float erff(float x)
{
    return (float)erfl(x);
}

double erf(double x)
{
    return (double)erfl(x);
}

float erfcf(float x)
{
    return (float)erfcl(x);
}

double erfc(double x)
{
    return (double)erfcl(x);
}

/* musl's, under the name that the build of the sysroot gives it. */
long double __musl_tgammal(long double x);

/* musl's sign is wrong for some x < -13: below 0 the sign changes at each whole
 * number, and is negative between -1 and 0. */
static long double gamma_function(long double x)
{
    long double result = __musl_tgammal(x);
    long double below = floorl(x);

    if (x >= 0 || x == below || !x87_is_finite(x))
        return result;
    return x87_copysign(result, fmodl(below, 2) == 0 ? 1.0L : -1.0L);
}

X87_ROUNDED_1(tgamma, gamma_function)

float lgammaf_r(float x, int *sign)
{
    return (float)__lgammal_r(x, sign);
}

double lgamma_r(double x, int *sign)
{
    return (double)__lgammal_r(x, sign);
}

float lgammaf(float x)
{
    return (float)__lgammal_r(x, &signgam);
}

double lgamma(double x)
{
    return (double)__lgammal_r(x, &signgam);
}

/* A double of musl's may come back with a long double's range and bits. */
#define BESSEL(name)                               \
    double __musl_##name(double x);                \
    double name(double x)                          \
    {                                              \
        volatile double result = __musl_##name(x); \
                                                   \
        return result;                             \
    }                                              \
    float name##f(float x)                         \
    {                                              \
        return (float)name(x);                     \
    }

#define BESSEL_OF_ORDER(name)                         \
    double __musl_##name(int n, double x);            \
    double name(int n, double x)                      \
    {                                                 \
        volatile double result = __musl_##name(n, x); \
                                                      \
        return result;                                \
    }                                                 \
    float name##f(int n, float x)                     \
    {                                                 \
        return (float)name(n, x);                     \
    }

BESSEL(j0)
BESSEL(j1)
BESSEL(y0)
BESSEL(y1)
BESSEL_OF_ORDER(jn)
BESSEL_OF_ORDER(yn)
