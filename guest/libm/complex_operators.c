/*
 * complex_operators.c -- what compilers call for * and / of complex numbers.
 *
 * The compiler package has these too, but returns a float complex in memory
 * where the i386 ABI returns it in EAX and EDX (sysv-abi-i386), and loses parts
 * of a quotient to overflow and underflow on the way. Infinities and NaNs come
 * out as C11 Annex G.5.1 has them: a value with one infinite part is infinite,
 * whatever the other part is.
 *
 * Both operators compute in long double. That is range enough for the products
 * of float and double; for long double a quotient's powers of two are kept
 * apart.
 */
#include "x87.h"

typedef long double real;

struct parts {
    real x, y;
};

static int infinite(real x)
{
    return !x87_is_finite(x) && !x87_is_nan(x);
}

/* 1 for an infinity, 0 for all else, with the sign. */
static real boxed(real x)
{
    return x87_copysign(infinite(x) ? 1 : 0, x);
}

static real without_nan(real x)
{
    return x87_is_nan(x) ? x87_copysign(0, x) : x;
}

static struct parts multiply(real a, real b, real c, real d)
{
    real ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    struct parts z = {ac - bd, ad + bc};
    int again = 0;

    if (!x87_is_nan(z.x) || !x87_is_nan(z.y))
        return z;
    if (infinite(a) || infinite(b)) {
        a = boxed(a), b = boxed(b);
        c = without_nan(c), d = without_nan(d);
        again = 1;
    }
    if (infinite(c) || infinite(d)) {
        c = boxed(c), d = boxed(d);
        a = without_nan(a), b = without_nan(b);
        again = 1;
    }
    if (!again &&
        (infinite(ac) || infinite(bd) || infinite(ad) || infinite(bc))) {
        a = without_nan(a), b = without_nan(b);
        c = without_nan(c), d = without_nan(d);
        again = 1;
    }
    if (again) {
        z.x = HUGE_VALL * (a * c - b * d);
        z.y = HUGE_VALL * (a * d + b * c);
    }
    return z;
}

/* The quotient where a part is infinite or NaN, or the divisor is 0. */
static struct parts divide_special(real a, real b, real c, real d)
{
    real norm = c * c + d * d;
    struct parts z = {(a * c + b * d) / norm, (b * c - a * d) / norm};

    if (!x87_is_nan(z.x) || !x87_is_nan(z.y))
        return z;
    if (norm == 0 && (!x87_is_nan(a) || !x87_is_nan(b))) {
        z.x = x87_copysign(HUGE_VALL, c) * a;
        z.y = x87_copysign(HUGE_VALL, c) * b;
    } else if ((infinite(a) || infinite(b)) && x87_is_finite(c) &&
               x87_is_finite(d)) {
        a = boxed(a), b = boxed(b);
        z.x = HUGE_VALL * (a * c + b * d);
        z.y = HUGE_VALL * (b * c - a * d);
    } else if ((infinite(c) || infinite(d)) && x87_is_finite(a) &&
               x87_is_finite(b)) {
        c = boxed(c), d = boxed(d);
        z.x = 0 * (a * c + b * d);
        z.y = 0 * (b * c - a * d);
    }
    return z;
}

static int is_special(real a, real b, real c, real d)
{
    return !x87_is_finite(a) || !x87_is_finite(b) || !x87_is_finite(c) ||
           !x87_is_finite(d) || (c == 0 && d == 0);
}

static struct parts divide(real a, real b, real c, real d)
{
    real norm;

    if (is_special(a, b, c, d))
        return divide_special(a, b, c, d);
    norm = c * c + d * d;
    return (struct parts){(a * c + b * d) / norm, (b * c - a * d) / norm};
}

/* A number below 2 with its power of two; zero has the lowest. */
struct scaled {
    real value;
    int exponent;
};

enum { LOWEST = -100000 };

static struct scaled scale(real x)
{
    struct scaled s = {0, LOWEST};

    if (x != 0)
        s.value = frexpl(x, &s.exponent);
    else
        s.value = x;
    return s;
}

/* p q + r s: the smaller product may vanish beside the larger one only. */
static struct scaled sum(struct scaled p, struct scaled q, struct scaled r,
                         struct scaled s)
{
    int first = p.exponent + q.exponent, second = r.exponent + s.exponent;
    int most = first > second ? first : second;
    real one = scalbnl(p.value * q.value, first - most);
    real two = scalbnl(r.value * s.value, second - most);

    return (struct scaled){one + two, most};
}

static real quotient(struct scaled above, struct scaled below)
{
    return scalbnl(above.value / below.value, above.exponent - below.exponent);
}

static struct parts divide_long(real a, real b, real c, real d)
{
    struct scaled p, q, r, s, minus, norm;

    if (is_special(a, b, c, d))
        return divide_special(a, b, c, d);
    p = scale(a), q = scale(b), r = scale(c), s = scale(d);
    minus = p;
    minus.value = -p.value;
    norm = sum(r, r, s, s);
    return (struct parts){quotient(sum(p, r, q, s), norm),
                          quotient(sum(q, r, minus, s), norm)};
}

#define OPERATOR(NAME, TYPE, KERNEL)                    \
    TYPE _Complex NAME(TYPE a, TYPE b, TYPE c, TYPE d); \
    TYPE _Complex NAME(TYPE a, TYPE b, TYPE c, TYPE d)  \
    {                                                   \
        struct parts z = KERNEL(a, b, c, d);            \
                                                        \
        return __builtin_complex((TYPE)z.x, (TYPE)z.y); \
    }

OPERATOR(__mulsc3, float, multiply)
OPERATOR(__muldc3, double, multiply)
OPERATOR(__mulxc3, long double, multiply)
OPERATOR(__divsc3, float, divide)
OPERATOR(__divdc3, double, divide)
OPERATOR(__divxc3, long double, divide_long)
