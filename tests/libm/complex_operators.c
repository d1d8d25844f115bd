// What compilers call for * and / of complex numbers: the calling convention
// of each type, ranges that products overflow, and C11 Annex G's infinities.
// cc: -O0 -lm
// run: -n 1
// expect-stdout:
// float: (-1+18i)/(7+5i) = 1.12+1.77i
// float: far apart: 1+0i
// double: huge: 1+0i, tiny: 1+0i
// double: (1+i)/(2^-1000) is 2^1000: 1 1
// long: huge: 1+0i, tiny: 1+0i
// long: parts far apart: 1 1
// infinite times 1+i: 1, divided by 1+i: 1, 1+i divided by it: 0+0i
// by zero: inf
#include <complex.h>
#include <math.h>
#include <stdio.h>

static float complex divide_float(float complex a, float complex b)
{
    return a / b;
}

static double complex divide(double complex a, double complex b)
{
    return a / b;
}

static long double complex divide_long(long double complex a,
                                       long double complex b)
{
    return a / b;
}

static double complex multiply(double complex a, double complex b)
{
    return a * b;
}

static int infinite(double complex z)
{
    return isinf(creal(z)) || isinf(cimag(z));
}

int main(void)
{
    float complex f = divide_float(-1 + 18 * I, 7 + 5 * I);
    double complex d, infinity = CMPLX(INFINITY, NAN);
    long double complex l;

    printf("float: (-1+18i)/(7+5i) = %.3g+%.3gi\n", crealf(f), cimagf(f));
    f = divide_float(CMPLXF(0x1p100F, 0x1p100F), CMPLXF(0x1p100F, 0x1p100F));
    printf("float: far apart: %g+%gi\n", crealf(f), cimagf(f));
    d = divide(CMPLX(0x1p1000, 0x1p1000), CMPLX(0x1p1000, 0x1p1000));
    printf("double: huge: %g+%gi, ", creal(d), cimag(d));
    d = divide(CMPLX(0x1p-1060, 0x1p-1060), CMPLX(0x1p-1060, 0x1p-1060));
    printf("tiny: %g+%gi\n", creal(d), cimag(d));
    d = divide(CMPLX(1, 1), CMPLX(0x1p-1000, 0));
    printf("double: (1+i)/(2^-1000) is 2^1000: %d %d\n", creal(d) == 0x1p1000,
           cimag(d) == 0x1p1000);
    l = divide_long(CMPLXL(0x1p16000L, 0x1p16000L),
                    CMPLXL(0x1p16000L, 0x1p16000L));
    printf("long: huge: %Lg+%Lgi, ", creall(l), cimagl(l));
    l = divide_long(CMPLXL(0x1p-16400L, 0x1p-16400L),
                    CMPLXL(0x1p-16400L, 0x1p-16400L));
    printf("tiny: %Lg+%Lgi\n", creall(l), cimagl(l));
    l = divide_long(CMPLXL(0x1p-8480L, 0x1p16329L),
                    CMPLXL(0x1p-15599L, 0x1p869L));
    printf("long: parts far apart: %d %d\n", creall(l) == 0x1p15460L,
           cimagl(l) == 0x1p-1008L);
    printf("infinite times 1+i: %d, ", infinite(multiply(infinity, 1 + I)));
    printf("divided by 1+i: %d, ", infinite(divide(infinity, 1 + I)));
    d = divide(1 + I, infinity);
    printf("1+i divided by it: %g+%gi\n", fabs(creal(d)), fabs(cimag(d)));
    printf("by zero: %g\n", creal(divide(1, 0)));
    return 0;
}
