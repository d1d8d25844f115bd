/*
 * root.c -- sqrt, cbrt, hypot.
 *
 * sqrt is the correctly rounded one of IEEE 754: rounding the root to 64 bits
 * and then to 53 would not be, so the control word limits its precision.
 */
#include "x87.h"

/* Beyond these exponents a square would overflow or lose bits. */
enum { SQUARE_EXPONENT = 8000, SQUARE_SHIFT = 9000 };

static long double square_root(long double x, uint16_t precision)
{
    uint16_t control = x87_set_precision(precision);

    __asm__ volatile("fsqrt" : "+t"(x));
    x87_restore(control);
    return x;
}

float sqrtf(float x)
{
    return (float)square_root(x, X87_24);
}

double sqrt(double x)
{
    return (double)square_root(x, X87_53);
}

long double sqrtl(long double x)
{
    return x87_sqrt(x);
}

static long double cube_root(long double x)
{
    union x87_bits bits;
    int exponent, remainder;

    if (x == 0 || !x87_is_finite(x))
        return x + x;
    bits.value = x87_exponent(x) == 0 ? x * 0x1p66L : x;
    exponent = (bits.part.sign_exponent & X87_EXPONENT_MASK) - X87_BIAS;
    if (x87_exponent(x) == 0)
        exponent -= 66;
    remainder = (exponent % 3 + 3) % 3;
    bits.part.sign_exponent = (uint16_t)(X87_BIAS + remainder);

    /* m in [1, 8): a first value good to about 62 bits ... */
    long double m = bits.value;
    long double log = x87_yl2x(1.0L / 3, m);
    long double t = x87_2xm1(log * 0.5L) + 1;

    t *= t;
    /* ... and one step of Newton's, with t^3 - m computed exactly. */
    struct x87_pair square = x87_two_product(t, t);
    struct x87_pair cube = x87_two_product(square.head, t);
    long double error = (cube.head - m) + (cube.tail + square.tail * t);

    t -= error / (3 * square.head);
    t = x87_scale(t, (exponent - remainder) / 3);
    return x87_negative(x) ? -t : t;
}

/* sqrt(a^2 + b^2) for a >= b >= 0, both finite. */
static long double diagonal(long double a, long double b)
{
    int ea = x87_exponent(a) - X87_BIAS, eb = x87_exponent(b) - X87_BIAS;
    long double shift = 0;

    if (b == 0 || ea - eb > 66)
        return a + b;
    if (ea > SQUARE_EXPONENT)
        shift = -SQUARE_SHIFT;
    else if (eb < -SQUARE_EXPONENT)
        shift = SQUARE_SHIFT;
    if (shift != 0) {
        a = x87_scale(a, shift);
        b = x87_scale(b, shift);
    }
    struct x87_pair aa = x87_two_product(a, a), bb = x87_two_product(b, b);
    struct x87_pair sum = x87_two_sum(aa.head, bb.head);
    long double result = x87_sqrt(sum.head + (sum.tail + aa.tail + bb.tail));

    return shift != 0 ? x87_scale(result, -shift) : result;
}

static long double hypotenuse(long double x, long double y)
{
    long double a = x87_abs(x), b = x87_abs(y);

    /* An infinity counts even beside something that is no number. */
    if (!x87_is_finite(x) && !x87_is_nan(x))
        return a;
    if (!x87_is_finite(y) && !x87_is_nan(y))
        return b;
    if (x87_is_nan(x) || x87_is_nan(y))
        return x + y;
    return a < b ? diagonal(b, a) : diagonal(a, b);
}

X87_ROUNDED_1(cbrt, cube_root)
X87_ROUNDED_2(hypot, hypotenuse)
