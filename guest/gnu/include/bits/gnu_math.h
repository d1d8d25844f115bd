/*
 * bits/gnu_math.h: the old names of lgamma().
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#ifdef __cplusplus
extern "C" {
#endif
double gamma(double);
float gammaf(float);
long double gammal(long double);
#ifdef __cplusplus
}
#endif
#endif
