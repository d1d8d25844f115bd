/*
 * pow.c -- x to the power y.
 *
 * y log2(x) needs some 15 bits more than a register holds, or a large power
 * loses them. So log2 is computed as a pair of long doubles: x = 2^k m, with
 * m times a factor of a table within 2^-7 of 1; of the rest, 1 + r, the first
 * two terms of the series are pairs too.
 */
#include "x87.h"

#include "pow_table.h"

#define LOG2E_TAIL (-0x4178012f96e2c177p-127L)
/* Every result beyond over- or underflows. */
#define EXPONENT_LIMIT 17000.0L

enum parity { NOT_WHOLE, EVEN, ODD };

/* Whether y is a whole number, and which; y is finite. */
static enum parity parity(long double y)
{
    union x87_bits bits = {y};
    int exponent = (bits.part.sign_exponent & X87_EXPONENT_MASK) - X87_BIAS;

    if (y == 0 || exponent > 63)
        return EVEN;
    if (exponent < 0)
        return NOT_WHOLE;
    if (bits.part.significand << exponent << 1 != 0)
        return NOT_WHOLE;
    return bits.part.significand >> (63 - exponent) & 1 ? ODD : EVEN;
}

/* (log(1 + r) - r + r^2 / 2) / r^3, |r| <= 2^-7: the series to 2^-65. */
static long double curve(long double r)
{
    long double sum = 0;

    for (int n = 11; n >= 3; n--)
        sum = (n % 2 ? 1.0L : -1.0L) / n + r * sum;
    return sum;
}

/* log2(1 + r), |r| <= 2^-7, with a relative error of about 2^-78: a small
 * logarithm may have a large factor. */
static struct x87_pair log2_near_one(struct x87_pair r)
{
    struct x87_pair square = x87_two_product(r.head, r.head);
    long double cubic = square.head * r.head * curve(r.head);
    struct x87_pair log = x87_two_sum(r.head, -0.5L * square.head);

    log.tail += r.tail - 0.5L * square.tail - r.head * r.tail + cubic;
    log = x87_two_sum(log.head, log.tail);
    struct x87_pair log2 = x87_two_product(log.head, X87_LOG2E);

    log2.tail += log.head * LOG2E_TAIL + log.tail * X87_LOG2E;
    return log2;
}

/* log2 of a positive finite x. */
static struct x87_pair log2_pair(long double x)
{
    union x87_bits bits = {x};
    int exponent = 0;

    if (bits.part.sign_exponent == 0) {
        bits.value = x * 0x1p66L;
        exponent = -66;
    }
    exponent += bits.part.sign_exponent - X87_BIAS;
    bits.part.sign_exponent = X87_BIAS;

    int index = (int)(bits.part.significand >> 56) & 127;
    long double factor = pow_table[index].factor;
    union x87_bits upper = bits;

    /* Both products are exact: a factor has ten bits. */
    upper.part.significand &= 0xffffffff00000000;
    struct x87_pair r = x87_two_sum(upper.value * factor - 1,
                                    (bits.value - upper.value) * factor);
    struct x87_pair near = log2_near_one(r);
    struct x87_pair sum =
        x87_two_sum(exponent + pow_table[index].high, near.head);

    sum.tail += near.tail + pow_table[index].low;
    return x87_two_sum(sum.head, sum.tail);
}

/* 2 to the power of a pair, for |head| < EXPONENT_LIMIT. */
static long double power_of_two(struct x87_pair power)
{
    long double n = x87_rint(power.head);
    long double fraction = (power.head - n) + power.tail;

    return x87_scale(x87_2xm1(fraction) + 1, n);
}

/* x^y for finite x > 0 and finite y != 0. */
static long double positive_power(long double x, long double y)
{
    static const volatile long double huge = 0x1p16383L, tiny = 0x1p-16382L;
    struct x87_pair log = log2_pair(x);
    long double estimate = y * log.head;

    if (estimate > EXPONENT_LIMIT)
        return huge * huge;
    if (estimate < -EXPONENT_LIMIT)
        return tiny * tiny;
    /* Also keeps the splitting of tiny y from underflowing. */
    if (x87_abs(estimate) < 0x1p-70L)
        return 1 + estimate;
    struct x87_pair power = x87_two_product(y, log.head);

    power.tail += y * log.tail;
    return power_of_two(power);
}

/* The cases of the C standard with a zero or an infinity in them. */
static long double special_power(long double x, long double y)
{
    enum parity kind = x87_is_finite(y) ? parity(y) : EVEN;
    long double a = x87_abs(x);
    int grows;

    if (!x87_is_finite(y)) {
        if (a == 1)
            return 1;
        grows = (a > 1) == !x87_negative(y);
        return grows ? x87_abs(y) : 0;
    }
    grows = (a != 0) == !x87_negative(y);
    if (grows)
        a = a == 0 ? 1 / a : x87_abs(x87_is_finite(x) ? 1 / a : x);
    else
        a = 0;
    return kind == ODD && x87_negative(x) ? -a : a;
}

static long double power(long double x, long double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x87_is_nan(x) || x87_is_nan(y))
        return x + y;
    if (x == 0 || !x87_is_finite(x) || !x87_is_finite(y))
        return special_power(x, y);
    if (!x87_negative(x))
        return positive_power(x, y);
    switch (parity(y)) {
    case NOT_WHOLE:
        return x87_sqrt(x); /* invalid */
    case ODD:
        return -positive_power(-x, y);
    default:
        return positive_power(-x, y);
    }
}

X87_ROUNDED_2(pow, power)
