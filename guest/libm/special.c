/*
 * special.c -- error function and gamma function in float and double.
 *
 * musl's long double forms of these are series in long double arithmetic,
 * which the x87 does exactly as they expect. Its float and double forms rely
 * on results being rounded to their type, which the x87 does not do.
 */
#define _GNU_SOURCE
#include "x87.h"

long double __lgammal_r(long double x, int *sign);

float erff(float x)
{
    return (float)erfl(x);
}

double erf(double x)
{
    return (double)erfl(x);
}

float erfcf(float x)
{
    return (float)erfcl(x);
}

double erfc(double x)
{
    return (double)erfcl(x);
}

float tgammaf(float x)
{
    return (float)tgammal(x);
}

double tgamma(double x)
{
    return (double)tgammal(x);
}

float lgammaf_r(float x, int *sign)
{
    return (float)__lgammal_r(x, sign);
}

double lgamma_r(double x, int *sign)
{
    return (double)__lgammal_r(x, sign);
}

float lgammaf(float x)
{
    return (float)__lgammal_r(x, &signgam);
}

double lgamma(double x)
{
    return (double)__lgammal_r(x, &signgam);
}
