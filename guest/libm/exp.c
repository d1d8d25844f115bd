/*
 * exp.c -- exp, exp2, exp10, expm1.
 *
 * F2XM1 gives 2^f - 1 for |f| <= 1. The whole part n of the exponent of 2 is
 * taken out first, with ln 2 (or log10 2) in two parts, the first of which
 * has so few bits that n times it is exact.
 */
#define _GNU_SOURCE
#include "x87.h"

#define LN2_HEAD 0x162e42fefa39fp-49L
#define LN2_TAIL (-0xca86c3898cff81a1p-117L)
#define LOG10_2_HEAD 0x9a209a84fbdp-45L
#define LOG10_2_TAIL (-0x8677076a653f4837p-117L)
#define LOG2E_TAIL (-0x4178012f96e2c177p-127L)
#define LOG2_10 0x6a4d3c25e68dc57fp-61L

/* Beyond these every result overflows, or underflows to 0. */
#define EXP_LIMIT 11500.0L
#define EXP2_LIMIT 16500.0L
#define EXP10_LIMIT 5000.0L

/* The result for an argument at or beyond a limit, or no number. */
static long double far(long double x)
{
    static const volatile long double huge = 0x1p16383L, tiny = 0x1p-16382L;

    if (x87_is_nan(x))
        return x + x;
    if (!x87_is_finite(x))
        return x87_negative(x) ? 0 : x;
    return x87_negative(x) ? tiny * tiny : huge * huge;
}

long double rck_math_exp(long double x)
{
    if (!(x87_abs(x) < EXP_LIMIT))
        return far(x);
    long double n = x87_rint(x * X87_LOG2E);
    long double r = (x - n * LN2_HEAD) - n * LN2_TAIL;

    return x87_scale(x87_2xm1(r * X87_LOG2E) + 1, n);
}

static long double exponential2(long double x)
{
    if (!(x87_abs(x) < EXP2_LIMIT))
        return far(x);
    long double n = x87_rint(x);

    return x87_scale(x87_2xm1(x - n) + 1, n);
}

static long double exponential10(long double x)
{
    if (!(x87_abs(x) < EXP10_LIMIT))
        return far(x);
    long double n = x87_rint(x * LOG2_10);
    long double r = (x - n * LOG10_2_HEAD) - n * LOG10_2_TAIL;

    return x87_scale(x87_2xm1(r * LOG2_10) + 1, n);
}

long double rck_math_expm1(long double x)
{
    /* e^x - 1 = x to 64 bits, and -0 and denormals are kept. */
    if (x87_exponent(x) < X87_BIAS - 66)
        return x;
    if (x87_negative(x) && x < -50 && x87_is_finite(x))
        return -1 + 0x1p-70L;
    if (!(x87_abs(x) < EXP_LIMIT))
        return x87_is_nan(x) || !x87_negative(x) ? far(x) : -1;
    if (x87_abs(x) < 0.5L) {
        /* 2^(h + t) - 1 = (2^h - 1) + 2^h t ln 2: what x log2(e) loses by
         * being rounded would count here. */
        struct x87_pair power = x87_two_product(x, X87_LOG2E);
        long double t = x87_2xm1(power.head);

        power.tail += x * LOG2E_TAIL;
        return t + (t + 1) * power.tail * X87_LN2;
    }
    long double n = x87_rint(x * X87_LOG2E);
    long double r = (x - n * LN2_HEAD) - n * LN2_TAIL;
    long double t = x87_2xm1(r * X87_LOG2E);

    if (n > 70)
        return x87_scale(t + 1, n);
    return x87_scale(t, n) + (x87_scale(1, n) - 1);
}

X87_ROUNDED_1(exp, rck_math_exp)
X87_ROUNDED_1(exp2, exponential2)
X87_ROUNDED_1(exp10, exponential10)
X87_ROUNDED_1(pow10, exponential10)
X87_ROUNDED_1(expm1, rck_math_expm1)
