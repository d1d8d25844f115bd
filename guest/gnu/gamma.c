/*
 * gamma.c: the old names of lgamma().
 */
#include <math.h>

double gamma(double x)
{
    return lgamma(x);
}

float gammaf(float x)
{
    return lgammaf(x);
}

long double gammal(long double x)
{
    return lgammal(x);
}
