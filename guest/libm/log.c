/*
 * log.c -- log, log2, log10, log1p.
 *
 * FYL2X and FYL2XP1 do the work, with the zero-divide of log(0) and the
 * invalid operation of a negative argument. Near 1 the difference from 1,
 * which is exact, goes through FYL2XP1.
 */
#include "x87.h"

/* FYL2XP1 takes |x| <= 1 - sqrt(2)/2 = 0.2928... */
#define NEAR_ONE 0.29L

/* scale * log2(x). */
static long double scaled_log(long double x, long double scale)
{
    if (x87_abs(x - 1) < NEAR_ONE)
        return x87_yl2xp1(scale, x - 1);
    return x87_yl2x(scale, x);
}

long double rck_math_log(long double x)
{
    return scaled_log(x, X87_LN2);
}

static long double log_2(long double x)
{
    return scaled_log(x, 1);
}

static long double log_10(long double x)
{
    return scaled_log(x, X87_LOG10_2_FULL);
}

long double rck_math_log1p(long double x)
{
    /* log(1 + x) = x to 64 bits, and -0 and denormals are kept. */
    if (x87_exponent(x) < X87_BIAS - 66)
        return x;
    if (x87_abs(x) < NEAR_ONE)
        return x87_yl2xp1(X87_LN2, x);
    if (!(x > -1) || !x87_is_finite(x))
        return x87_yl2x(X87_LN2, 1 + x);
    struct x87_pair sum = x87_two_sum(1, x);

    return x87_yl2x(X87_LN2, sum.head) + sum.tail / sum.head;
}

X87_ROUNDED_1(log, rck_math_log)
X87_ROUNDED_1(log2, log_2)
X87_ROUNDED_1(log10, log_10)
X87_ROUNDED_1(log1p, rck_math_log1p)
