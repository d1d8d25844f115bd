/*
 * hyperbolic.c -- sinh, cosh, tanh and their inverses.
 *
 * All from expm1 and log1p, in the forms that do not cancel.
 */
#include "x87.h"

/* e^x is finite below this; its square root always. */
#define EXP_OVERFLOW 11356.0L
/* Above this the smaller of e^x and e^-x does not count. */
#define ONE_SIDED 50.0L
/* Above this x^2 + 1 = x^2. */
#define LARGE 0x1p33L

static long double hyperbolic_sine(long double x)
{
    long double a = x87_abs(x), result;

    if (x87_exponent(x) < X87_BIAS - 33)
        return x;
    if (a < EXP_OVERFLOW) {
        long double t = a < ONE_SIDED ? rck_math_expm1(a) : rck_math_exp(a);

        result = 0.5L * (a < ONE_SIDED ? t + t / (t + 1) : t);
    } else {
        long double half = rck_math_exp(0.5L * a);

        result = 0.5L * half * half;
    }
    return x87_negative(x) ? -result : result;
}

static long double hyperbolic_cosine(long double x)
{
    long double a = x87_abs(x);

    if (a < EXP_OVERFLOW) {
        long double t = rck_math_exp(a);

        return 0.5L * t + 0.5L / t;
    }
    long double half = rck_math_exp(0.5L * a);

    return 0.5L * half * half;
}

static long double hyperbolic_tangent(long double x)
{
    long double a = x87_abs(x), result;

    if (x87_exponent(x) < X87_BIAS - 33)
        return x;
    if (a < ONE_SIDED) {
        long double t = rck_math_expm1(2 * a);

        result = t / (t + 2);
    } else {
        result = x87_is_nan(x) ? x : 1 - 0x1p-70L;
    }
    return x87_negative(x) ? -result : result;
}

static long double inverse_sine(long double x)
{
    long double a = x87_abs(x), result;

    if (x87_exponent(x) < X87_BIAS - 33)
        return x;
    if (a > LARGE)
        result = rck_math_log(a) + X87_LN2;
    else if (a > 2)
        result = rck_math_log(2 * a + 1 / (x87_sqrt(a * a + 1) + a));
    else
        result = rck_math_log1p(a + a * a / (1 + x87_sqrt(a * a + 1)));
    return x87_negative(x) ? -result : result;
}

static long double inverse_cosine(long double x)
{
    if (x > LARGE)
        return rck_math_log(x) + X87_LN2;
    if (x > 2)
        return rck_math_log(2 * x - 1 / (x + x87_sqrt(x * x - 1)));
    long double t = x - 1;

    if (t < 0)
        return x87_sqrt(t); /* invalid */
    return rck_math_log1p(t + x87_sqrt(2 * t + t * t));
}

static long double inverse_tangent(long double x)
{
    long double a = x87_abs(x), result;

    if (x87_exponent(x) < X87_BIAS - 33)
        return x;
    if (a < 0.5L)
        result = 0.5L * rck_math_log1p(2 * a + 2 * a * a / (1 - a));
    else
        result = 0.5L * rck_math_log1p(2 * (a / (1 - a)));
    return x87_negative(x) ? -result : result;
}

X87_ROUNDED_1(sinh, hyperbolic_sine)
X87_ROUNDED_1(cosh, hyperbolic_cosine)
X87_ROUNDED_1(tanh, hyperbolic_tangent)
X87_ROUNDED_1(asinh, inverse_sine)
X87_ROUNDED_1(acosh, inverse_cosine)
X87_ROUNDED_1(atanh, inverse_tangent)
