/*
 * round.c -- ceil, floor, trunc, round, rint and their whole-number forms.
 *
 * FRNDINT rounds as the control word says. FISTP gives the indefinite value
 * and an invalid operation for what does not fit.
 */
#include "x87.h"

#include <fenv.h>

static long double round_by(long double x, uint16_t mode)
{
    uint16_t saved, control;

    __asm__ volatile("fnstcw %0" : "=m"(saved));
    control = (uint16_t)((saved & ~X87_CHOP) | mode);
    __asm__ volatile("fldcw %1\n\tfrndint\n\tfldcw %2"
                     : "+t"(x)
                     : "m"(control), "m"(saved));
    return x;
}

static long double round_up(long double x)
{
    return round_by(x, X87_UP);
}

static long double round_down(long double x)
{
    return round_by(x, X87_DOWN);
}

static long double round_chop(long double x)
{
    return round_by(x, X87_CHOP);
}

/* Halves away from zero. */
static long double round_half_away(long double x)
{
    long double whole = round_chop(x);

    if (!x87_is_finite(x))
        return x + x;
    if (x87_abs(x - whole) >= 0.5L)
        whole += x87_negative(x) ? -1 : 1;
    return x87_copysign(whole, x);
}

/* As rint, without the inexact exception. */
static long double round_quietly(long double x)
{
    int before = fetestexcept(FE_INEXACT);

    x = x87_rint(x);
    if (!before)
        feclearexcept(FE_INEXACT);
    return x;
}

X87_ROUNDED_1(ceil, round_up)
X87_ROUNDED_1(floor, round_down)
X87_ROUNDED_1(trunc, round_chop)
X87_ROUNDED_1(round, round_half_away)
X87_ROUNDED_1(rint, x87_rint)
X87_ROUNDED_1(nearbyint, round_quietly)

static long to_long(long double x)
{
    int32_t result;

    __asm__ volatile("fistpl %0" : "=m"(result) : "t"(x) : "st");
    return result;
}

static long long to_long_long(long double x)
{
    int64_t result;

    __asm__ volatile("fistpll %0" : "=m"(result) : "t"(x) : "st");
    return result;
}

#define WHOLE(name, type, kernel, round) \
    type name##f(float x)                \
    {                                    \
        return kernel(round(x));         \
    }                                    \
    type name(double x)                  \
    {                                    \
        return kernel(round(x));         \
    }                                    \
    type name##l(long double x)          \
    {                                    \
        return kernel(round(x));         \
    }

WHOLE(lrint, long, to_long, )
WHOLE(llrint, long long, to_long_long, )
WHOLE(lround, long, to_long, round_half_away)
WHOLE(llround, long long, to_long_long, round_half_away)
