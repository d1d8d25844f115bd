/*
 * trig.c -- sine, cosine, tangent.
 *
 * The x87's FSIN and its relatives are good within a quadrant; their own
 * reduction of larger arguments uses 66 bits of pi, too few near multiples of
 * pi. So arguments are reduced in reduce.c first, to a pair whose tail
 * corrects the result: sin(h + t) = sin h + t cos h, up to t^2 < 2^-128.
 */
#include "x87.h"

static void sine_cosine(long double x, long double *s, long double *c)
{
    struct x87_pair r;
    long double sine, cosine;
    int quadrant;

    if (!x87_is_finite(x)) {
        *s = *c = x - x; /* invalid for an infinity */
        return;
    }
    quadrant = rck_math_reduce(x, &r);
    x87_sincos(r.head, &sine, &cosine);
    long double s1 = r.tail == 0 ? sine : sine + r.tail * cosine;
    long double c1 = r.tail == 0 ? cosine : cosine - r.tail * sine;
    switch (quadrant) {
    case 0:
        *s = s1, *c = c1;
        break;
    case 1:
        *s = c1, *c = -s1;
        break;
    case 2:
        *s = -s1, *c = -c1;
        break;
    default:
        *s = -c1, *c = s1;
        break;
    }
}

static long double sine(long double x)
{
    long double s, c;

    sine_cosine(x, &s, &c);
    return s;
}

static long double cosine(long double x)
{
    long double s, c;

    sine_cosine(x, &s, &c);
    return c;
}

static long double tangent(long double x)
{
    long double s, c;

    /* A tiny x is its own tangent, exactly: keeps -0 and denormals. */
    if (x87_exponent(x) < X87_BIAS - 33)
        return x;
    sine_cosine(x, &s, &c);
    return s / c;
}

X87_ROUNDED_1(sin, sine)
X87_ROUNDED_1(cos, cosine)
X87_ROUNDED_1(tan, tangent)

void sincosf(float x, float *s, float *c)
{
    long double sine_x, cosine_x;

    sine_cosine(x, &sine_x, &cosine_x);
    *s = (float)sine_x;
    *c = (float)cosine_x;
}

void sincos(double x, double *s, double *c)
{
    long double sine_x, cosine_x;

    sine_cosine(x, &sine_x, &cosine_x);
    *s = (double)sine_x;
    *c = (double)cosine_x;
}

void sincosl(long double x, long double *s, long double *c)
{
    sine_cosine(x, s, c);
}
