/*
 * x87.h -- the instructions of the x87 that the math functions are made of,
 * and the layout of its 80-bit format (intel-pentium-1995, chapter 6).
 *
 * All kernels compute in long double, the format of the registers themselves;
 * the float and double functions round a kernel's result once. So no result
 * depends on where a compiler keeps a value in more than its declared format.
 */
#ifndef RCK_X87_H
#define RCK_X87_H

#include <math.h>
#include <stdint.h>

/* A long double as its bits: an explicit leading 1, and sign with exponent. */
union x87_bits {
    long double value;
    struct {
        uint64_t significand;
        uint16_t sign_exponent;
    } part;
};

enum { X87_BIAS = 16383, X87_EXPONENT_MASK = 0x7fff, X87_SIGN = 0x8000 };

/* Rounding field of the control word. */
enum { X87_NEAREST = 0, X87_DOWN = 0x400, X87_UP = 0x800, X87_CHOP = 0xc00 };

#define X87_LN2 0x2c5c85fdf473de6bp-62L
#define X87_LOG10_2_FULL 0x9a209a84fbcff799p-65L
#define X87_LOG2E 0x2e2a8eca5705fc2fp-61L

static inline long double x87_rint(long double x)
{
    __asm__("frndint" : "+t"(x));
    return x;
}

/* Precision field of the control word: bits of a result's significand. */
enum { X87_PRECISION = 0x300, X87_24 = 0, X87_53 = 0x200, X87_64 = 0x300 };

/* Let operations round to fewer bits; returns the control word to restore. */
static inline uint16_t x87_set_precision(uint16_t precision)
{
    uint16_t saved, control;

    __asm__ volatile("fnstcw %0" : "=m"(saved));
    control = (uint16_t)((saved & ~X87_PRECISION) | precision);
    __asm__ volatile("fldcw %0" : : "m"(control));
    return saved;
}

static inline void x87_restore(uint16_t control)
{
    __asm__ volatile("fldcw %0" : : "m"(control));
}

static inline long double x87_sqrt(long double x)
{
    __asm__("fsqrt" : "+t"(x));
    return x;
}

/* 2^x - 1 for |x| <= 1. */
static inline long double x87_2xm1(long double x)
{
    __asm__("f2xm1" : "+t"(x));
    return x;
}

/* x * 2^n, n a whole number. */
static inline long double x87_scale(long double x, long double n)
{
    __asm__("fscale" : "+t"(x) : "u"(n));
    return x;
}

/* y * log2(x). */
static inline long double x87_yl2x(long double y, long double x)
{
    __asm__("fyl2x" : "=t"(x) : "0"(x), "u"(y) : "st(1)");
    return x;
}

/* y * log2(x + 1) for |x| <= 1 - sqrt(2)/2. */
static inline long double x87_yl2xp1(long double y, long double x)
{
    __asm__("fyl2xp1" : "=t"(x) : "0"(x), "u"(y) : "st(1)");
    return x;
}

/* The angle of the point (x, y). */
static inline long double x87_patan(long double y, long double x)
{
    __asm__("fpatan" : "=t"(x) : "0"(x), "u"(y) : "st(1)");
    return x;
}

static inline void x87_sincos(long double x, long double *s, long double *c)
{
    __asm__("fsincos" : "=t"(*c), "=u"(*s) : "0"(x));
}

static inline uint16_t x87_exponent(long double x)
{
    union x87_bits bits = {x};

    return bits.part.sign_exponent & X87_EXPONENT_MASK;
}

static inline int x87_negative(long double x)
{
    union x87_bits bits = {x};

    return bits.part.sign_exponent >> 15;
}

static inline long double x87_abs(long double x)
{
    __asm__("fabs" : "+t"(x));
    return x;
}

static inline int x87_is_nan(long double x)
{
    return x != x;
}

static inline int x87_is_finite(long double x)
{
    return x87_exponent(x) != X87_EXPONENT_MASK;
}

/* The magnitude of x with the sign of y. */
static inline long double x87_copysign(long double x, long double y)
{
    union x87_bits bits = {x};

    bits.part.sign_exponent =
        (uint16_t)((bits.part.sign_exponent & X87_EXPONENT_MASK) |
                   (x87_negative(y) ? X87_SIGN : 0));
    return bits.value;
}

/* A sum of two long doubles: head is the sum rounded, tail what it lost. */
struct x87_pair {
    long double head, tail;
};

/* a + b exactly (Knuth's TwoSum). */
static inline struct x87_pair x87_two_sum(long double a, long double b)
{
    long double sum = a + b;
    long double part = sum - a;

    return (struct x87_pair){sum, (a - (sum - part)) + (b - part)};
}

/* a * b exactly, barring overflow (Dekker's product). */
static inline struct x87_pair x87_two_product(long double a, long double b)
{
    const long double split = 0x1.00000001p32L;
    long double product = a * b;
    long double t = a * split;
    long double a1 = t - (t - a), a2 = a - a1;
    long double u = b * split;
    long double b1 = u - (u - b), b2 = b - b1;
    long double tail = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;

    return (struct x87_pair){product, tail};
}

/* The float and double forms of a function of one argument. */
#define X87_ROUNDED_1(name, kernel)    \
    float name##f(float x)             \
    {                                  \
        return (float)kernel(x);       \
    }                                  \
    double name(double x)              \
    {                                  \
        return (double)kernel(x);      \
    }                                  \
    long double name##l(long double x) \
    {                                  \
        return kernel(x);              \
    }

/* Defines a function of two arguments. */
#define X87_ROUNDED_2(name, kernel)                   \
    float name##f(float x, float y)                   \
    {                                                 \
        return (float)kernel(x, y);                   \
    }                                                 \
    double name(double x, double y)                   \
    {                                                 \
        return (double)kernel(x, y);                  \
    }                                                 \
    long double name##l(long double x, long double y) \
    {                                                 \
        return kernel(x, y);                          \
    }

/* Kernels that other files use. */
long double rck_math_exp(long double x);
long double rck_math_expm1(long double x);
long double rck_math_log(long double x);
long double rck_math_log1p(long double x);
int rck_math_reduce(long double x, struct x87_pair *remainder);

#endif
