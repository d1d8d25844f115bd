/*
 * complex.c -- the functions of complex.h.
 *
 * Each has one kernel in long double, rounded once to the type of the result.
 * The inverse functions are made of square roots as Kahan's are
 * (kahan-branch-cuts-1987), so that nothing cancels and each branch cut is
 * where C11 Annex G has it; an infinite argument is treated only where the
 * formula itself does.
 */
#define _GNU_SOURCE
#include "x87.h"

#include <complex.h>

typedef long double real;
typedef long double complex number;

/* Above this cosh and sinh are the same, and tanh is 1 but for its tail. */
#define LARGE 25.0L

static number make(real x, real y)
{
    return __builtin_complex(x, y);
}

/* i z and -i z, which only move the parts. */
static number times_i(number z)
{
    return make(-cimagl(z), creall(z));
}

static number by_i(number z)
{
    return make(cimagl(z), -creall(z));
}

/* a * b, with a zero for 0 times infinity. */
static real product(real a, real b)
{
    return b == 0 ? b * x87_copysign(1, a) : a * b;
}

static number root(number z)
{
    real x = creall(z), y = cimagl(z);

    if (!x87_is_finite(y) && !x87_is_nan(y))
        return make(x87_abs(y), y);
    if (x == 0 && y == 0)
        return make(0, y);
    if (!x87_is_finite(x) && !x87_is_nan(x))
        return x87_negative(x) ? make(x87_abs(y - y), x87_copysign(-x, y))
                               : make(x, x87_copysign(y - y, y));
    real t = x87_sqrt((x87_abs(x) + hypotl(x, y)) * 0.5L);

    if (!x87_negative(x))
        return make(t, y / (2 * t));
    return make(x87_abs(y) / (2 * t), x87_copysign(t, y));
}

static number exponential(number z)
{
    real x = creall(z), y = cimagl(z), s, c;

    if (y == 0)
        return make(rck_math_exp(x), y);
    if (x87_negative(x) && !x87_is_finite(x) && !x87_is_finite(y))
        return 0;
    sincosl(y, &s, &c);
    real size = rck_math_exp(x);

    return make(size * c, size * s);
}

/* log |z|: near 1 by what |z|^2 differs from it. */
static real log_size(real x, real y)
{
    real a = x87_abs(x), b = x87_abs(y);
    real larger = a > b ? a : b, smaller = a > b ? b : a;
    real size = hypotl(x, y);

    if (size > 0.5L && size < 2)
        return 0.5L *
               rck_math_log1p((larger - 1) * (larger + 1) + smaller * smaller);
    return rck_math_log(size);
}

static number logarithm(number z)
{
    real x = creall(z), y = cimagl(z);

    return make(log_size(x, y), x87_patan(y, x));
}

static number power(number z, number w)
{
    if (z == 0)
        return w == 0 ? 1 : 0;
    return exponential(w * logarithm(z));
}

static number hyperbolic_cosine(number z)
{
    real x = creall(z), y = cimagl(z), s, c;

    sincosl(y, &s, &c);
    return make(product(coshl(x), c), product(sinhl(x), s));
}

static number hyperbolic_sine(number z)
{
    real x = creall(z), y = cimagl(z), s, c;

    sincosl(y, &s, &c);
    return make(product(sinhl(x), c), product(coshl(x), s));
}

static number hyperbolic_tangent(number z)
{
    real x = creall(z), y = cimagl(z);

    if (x87_abs(x) > LARGE) {
        real s, c;

        sincosl(y, &s, &c);
        return make(x87_copysign(1, x),
                    4 * s * c * rck_math_exp(-2 * x87_abs(x)));
    }
    real t = tanl(y), beta = 1 + t * t, s = sinhl(x);
    real denominator = 1 + beta * s * s;

    return make(beta * x87_sqrt(1 + s * s) * s / denominator, t / denominator);
}

static number arc_cosine(number z)
{
    number below = root(1 - z), above = root(1 + z);

    return make(2 * x87_patan(creall(below), creall(above)),
                asinhl(cimagl(conjl(above) * below)));
}

static number arc_sine(number z)
{
    number below = root(1 - z), above = root(1 + z);
    real side = creall(below) * creall(above) - cimagl(below) * cimagl(above);

    return make(x87_patan(creall(z), side),
                asinhl(cimagl(conjl(below) * above)));
}

static number inverse_cosine(number z)
{
    number below = root(z - 1), above = root(z + 1);

    return make(asinhl(creall(conjl(below) * above)),
                2 * x87_patan(cimagl(below), creall(above)));
}

static number inverse_sine(number z)
{
    return by_i(arc_sine(times_i(z)));
}

static number inverse_tangent(number z)
{
    real x = creall(z), y = cimagl(z);
    real near = (1 - x) * (1 - x) + y * y;

    return make(0.25L * rck_math_log1p(4 * x / near),
                0.5L * x87_patan(2 * y, (1 - x) * (1 + x) - y * y));
}

static number arc_tangent(number z)
{
    return by_i(inverse_tangent(times_i(z)));
}

static number cosine(number z)
{
    return hyperbolic_cosine(times_i(z));
}

static number sine(number z)
{
    return by_i(hyperbolic_sine(times_i(z)));
}

static number tangent(number z)
{
    return by_i(hyperbolic_tangent(times_i(z)));
}

#define COMPLEX(name, kernel)                          \
    float complex name##f(float complex z)             \
    {                                                  \
        return (float complex)kernel(z);               \
    }                                                  \
    double complex name(double complex z)              \
    {                                                  \
        return (double complex)kernel(z);              \
    }                                                  \
    long double complex name##l(long double complex z) \
    {                                                  \
        return kernel(z);                              \
    }

COMPLEX(csqrt, root)
COMPLEX(cexp, exponential)
COMPLEX(clog, logarithm)
COMPLEX(ccos, cosine)
COMPLEX(csin, sine)
COMPLEX(ctan, tangent)
COMPLEX(ccosh, hyperbolic_cosine)
COMPLEX(csinh, hyperbolic_sine)
COMPLEX(ctanh, hyperbolic_tangent)
COMPLEX(cacos, arc_cosine)
COMPLEX(casin, arc_sine)
COMPLEX(catan, arc_tangent)
COMPLEX(cacosh, inverse_cosine)
COMPLEX(casinh, inverse_sine)
COMPLEX(catanh, inverse_tangent)

float complex cpowf(float complex z, float complex w)
{
    return (float complex)power(z, w);
}

double complex cpow(double complex z, double complex w)
{
    return (double complex)power(z, w);
}

long double complex cpowl(long double complex z, long double complex w)
{
    return power(z, w);
}

#define OF_COMPLEX(name, kernel)               \
    float name##f(float complex z)             \
    {                                          \
        return (float)kernel;                  \
    }                                          \
    double name(double complex z)              \
    {                                          \
        return (double)kernel;                 \
    }                                          \
    long double name##l(long double complex z) \
    {                                          \
        return kernel;                         \
    }

OF_COMPLEX(cabs, hypotl((real)creall(z), (real)cimagl(z)))
OF_COMPLEX(carg, x87_patan(cimagl(z), creall(z)))
