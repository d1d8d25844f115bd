/* ieee754.h: the parts of floating-point numbers. */
#ifndef _IEEE754_H
#define _IEEE754_H

#define IEEE754_FLOAT_BIAS 0x7f
#define IEEE754_DOUBLE_BIAS 0x3ff
#define IEEE854_LONG_DOUBLE_BIAS 0x3fff

union ieee754_float {
    float f;
    struct {
        unsigned int mantissa : 23, exponent : 8, negative : 1;
    } ieee;
    struct {
        unsigned int mantissa : 22, quiet_nan : 1, exponent : 8, negative : 1;
    } ieee_nan;
};

union ieee754_double {
    double d;
    struct {
        unsigned int mantissa1 : 32, mantissa0 : 20, exponent : 11,
            negative : 1;
    } ieee;
    struct {
        unsigned int mantissa1 : 32, mantissa0 : 19, quiet_nan : 1,
            exponent : 11, negative : 1;
    } ieee_nan;
};

union ieee854_long_double {
    long double d;
    struct {
        unsigned int mantissa1 : 32, mantissa0 : 32, exponent : 15,
            negative : 1, empty : 16;
    } ieee;
    struct {
        unsigned int mantissa1 : 32, mantissa0 : 30, quiet_nan : 1, one : 1,
            exponent : 15, negative : 1, empty : 16;
    } ieee_nan;
};

#endif
