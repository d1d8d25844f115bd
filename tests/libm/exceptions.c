// cc: -O2 -fno-builtin
// run: -n 1
// expect-stdout:
// all right
/*
 * The exceptions that math functions raise (C11 F.10), and <fenv.h> itself:
 * math_errhandling is MATH_ERREXCEPT, errno is left alone.
 */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

enum { SERIOUS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static int failures;

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted) {
        printf("%s: %#x instead of %#x\n", what, got, wanted);
        failures++;
    }
}

/* The serious exceptions of one call, from a clean state. */
#define RAISES(call, wanted)                          \
    do {                                              \
        volatile double result;                       \
                                                      \
        feclearexcept(FE_ALL_EXCEPT);                 \
        result = call;                                \
        (void)result;                                 \
        expect(#call, fetestexcept(SERIOUS), wanted); \
    } while (0)

static void functions(void)
{
    volatile double zero = 0, one = 1, two = 2, big = 1e308, many = 1000;
    volatile double infinite = HUGE_VAL;

    RAISES(sqrt(-one), FE_INVALID);
    RAISES(log(-one), FE_INVALID);
    RAISES(log1p(-two), FE_INVALID);
    RAISES(acos(two), FE_INVALID);
    RAISES(asin(-two), FE_INVALID);
    RAISES(acosh(zero), FE_INVALID);
    RAISES(atanh(two), FE_INVALID);
    RAISES(sin(infinite), FE_INVALID);
    RAISES(cos(-infinite), FE_INVALID);
    RAISES(tan(infinite), FE_INVALID);
    RAISES(fmod(one, zero), FE_INVALID);
    RAISES(remainder(infinite, one), FE_INVALID);
    RAISES(pow(-one, 0.5), FE_INVALID);
    RAISES(tgamma(-one), FE_INVALID);
    RAISES((double)lrint(big), FE_INVALID);
    RAISES(log(zero), FE_DIVBYZERO);
    RAISES(log2(zero), FE_DIVBYZERO);
    RAISES(log10(zero), FE_DIVBYZERO);
    RAISES(log1p(-one), FE_DIVBYZERO);
    RAISES(logb(zero), FE_DIVBYZERO);
    RAISES(atanh(one), FE_DIVBYZERO);
    RAISES(pow(zero, -one), FE_DIVBYZERO);
    RAISES(exp(many), FE_OVERFLOW);
    RAISES(exp2(many * 2), FE_OVERFLOW);
    RAISES(expm1(many), FE_OVERFLOW);
    RAISES(sinh(many), FE_OVERFLOW);
    RAISES(cosh(many), FE_OVERFLOW);
    RAISES(pow(big, two), FE_OVERFLOW);
    RAISES(hypot(big, big * 1.5), FE_OVERFLOW);
    RAISES(ldexp(one, 2000), FE_OVERFLOW);
    RAISES(sin(one), 0);
    RAISES(sin(1e22), 0);
    RAISES(exp(one), 0);
    RAISES(exp(-infinite), 0);
    RAISES(log(infinite), 0);
    RAISES(atan2(zero, zero), 0);
    RAISES(pow(zero, zero), 0);
    RAISES(cbrt(-8.0), 0);
}

static void environment(void)
{
    static const int modes[] = {
        FE_DOWNWARD,
        FE_UPWARD,
        FE_TOWARDZERO,
        FE_TONEAREST,
    };
    static const double results[] = {-3, -2, -2, -2};
    volatile double x = -2.5;
    fenv_t saved;

    for (int i = 0; i < 4; i++) {
        expect("fesetround", fesetround(modes[i]), 0);
        expect("fegetround", fegetround(), modes[i]);
        expect("rint", rint(x) == results[i], 1);
        /* The functions that name a direction do not follow the mode. */
        expect("floor", floor(x) == -3, 1);
        expect("round", round(x) == -3, 1);
    }
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_INVALID | FE_INEXACT);
    feclearexcept(FE_INEXACT);
    expect("fetestexcept", fetestexcept(FE_ALL_EXCEPT), FE_INVALID);
    fegetenv(&saved);
    fesetenv(FE_DFL_ENV);
    expect("FE_DFL_ENV", fetestexcept(FE_ALL_EXCEPT), 0);
    fesetenv(&saved);
    expect("fesetenv", fetestexcept(FE_ALL_EXCEPT), FE_INVALID);
    feclearexcept(FE_ALL_EXCEPT);
    nearbyint(x);
    expect("nearbyint", fetestexcept(FE_INEXACT), 0);
    rint(x);
    expect("rint is inexact", fetestexcept(FE_INEXACT), FE_INEXACT);
}

int main(void)
{
    errno = 0;
    functions();
    environment();
    expect("math_errhandling", math_errhandling, MATH_ERREXCEPT);
    expect("errno", errno, 0);
    if (failures == 0)
        puts("all right");
    return failures != 0;
}
