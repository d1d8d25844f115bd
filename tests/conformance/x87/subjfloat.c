/* What TestFloat tests: the instructions of the x87 themselves.
 *
 * TestFloat's own subject is the compiler's arithmetic, which knows neither
 * precision control nor FPREM1, FRNDINT, FSQRT or unordered comparisons in
 * the 80-bit format. Here each function is one instruction between a load
 * and a store in its format. Single and double precision run with precision
 * control at their own width: their results differ from the standard's at
 * the ends of the exponent range, on a processor as here.
 */
#include <stdbool.h>
#include <stdint.h>

#include "platform.h"

#include "softfloat.h"
#include "subjfloat.h"
#include "subjfloat_config.h"

enum {
    PRECISION = 0x300,
    PRECISION_24 = 0x000,
    PRECISION_53 = 0x200,
    PRECISION_64 = 0x300,
    ROUNDING = 0xC00,
    ROUND_NEAREST = 0x000,
    ROUND_DOWN = 0x400,
    ROUND_UP = 0x800,
    ROUND_TO_ZERO = 0xC00,
};

/* All exceptions masked. */
static uint16_t control = 0x37F;

static void load_control(uint16_t word)
{
    __asm__ volatile("fldcw %0" ::"m"(word));
}

void subjfloat_setRoundingMode(uint_fast8_t mode)
{
    uint16_t rounding = ROUND_NEAREST;
    if (mode == softfloat_round_min)
        rounding = ROUND_DOWN;
    else if (mode == softfloat_round_max)
        rounding = ROUND_UP;
    else if (mode == softfloat_round_minMag)
        rounding = ROUND_TO_ZERO;
    control = (control & ~ROUNDING) | rounding;
    load_control(control);
}

void subjfloat_setExtF80RoundingPrecision(uint_fast8_t bits)
{
    uint16_t precision = PRECISION_64;
    if (bits == 32)
        precision = PRECISION_24;
    else if (bits == 64)
        precision = PRECISION_53;
    control = (control & ~PRECISION) | precision;
    load_control(control);
}

uint_fast8_t subjfloat_clearExceptionFlags(void)
{
    static const uint8_t meaning[6] = {
        softfloat_flag_invalid,   0,
        softfloat_flag_infinite,  softfloat_flag_overflow,
        softfloat_flag_underflow, softfloat_flag_inexact,
    };
    uint16_t status;
    __asm__ volatile("fnstsw %0\n\tfnclex" : "=a"(status));
    uint_fast8_t flags = 0;
    for (int bit = 0; bit < 6; bit++)
        if (status & 1 << bit)
            flags |= meaning[bit];
    return flags;
}

/* Z = OP(A), with the instruction OP between a load and a store. */
#define UNARY(A, LOAD, OP, Z, STORE)                      \
    __asm__ volatile(LOAD " %1\n\t" OP "\n\t" STORE " %0" \
                     : "=m"(Z)                            \
                     : "m"(A)                             \
                     : "st")

/* Z = A OP B: ST(0) is A, ST(1) is B. */
#define BINARY(A, B, LOAD, OP, Z, STORE)                           \
    __asm__ volatile(LOAD " %2\n\t" LOAD " %1\n\t" OP "\n\t" STORE \
                          " %0\n\tfstp %%st(0)"                    \
                     : "=m"(Z)                                     \
                     : "m"(A), "m"(B)                              \
                     : "st", "st(1)", "ax", "cc")

/* FPREM1 is partial: C2 says that it must go on. */
#define REMAINDER "1:\tfprem1\n\tfnstsw %%ax\n\ttestw $0x400,%%ax\n\tjnz 1b"

/* C3, C2 and C0 of a comparison of A with B. */
#define COMPARE(A, B, LOAD, OP, CODES)                                \
    __asm__ volatile(LOAD " %2\n\t" LOAD " %1\n\t" OP                 \
                          " %%st(1)\n\tfnstsw %0\n\tfstp %%st(0)\n\t" \
                          "fstp %%st(0)"                              \
                     : "=a"(CODES)                                    \
                     : "m"(A), "m"(B)                                 \
                     : "st", "st(1)")
enum { CODES = 0x4500, LESS = 0x0100, EQUAL = 0x4000 };

#define FORMAT(NAME, TYPE, LOAD, STORE, BITS)                                 \
    static void enter_##NAME(void)                                            \
    {                                                                         \
        load_control((control & ~PRECISION) | (BITS));                        \
    }                                                                         \
    static bool x87_##NAME##_is(TYPE a, TYPE b, bool quiet, int one, int two) \
    {                                                                         \
        uint16_t codes;                                                       \
        if (quiet)                                                            \
            COMPARE(a, b, LOAD, "fucom", codes);                              \
        else                                                                  \
            COMPARE(a, b, LOAD, "fcom", codes);                               \
        codes &= CODES;                                                       \
        return codes == one || codes == two;                                  \
    }                                                                         \
    static TYPE x87_##NAME##_from_i32(int32_t a)                              \
    {                                                                         \
        TYPE z;                                                               \
        UNARY(a, "fildl", "", z, STORE);                                      \
        return z;                                                             \
    }                                                                         \
    static TYPE x87_##NAME##_from_i64(int64_t a)                              \
    {                                                                         \
        TYPE z;                                                               \
        UNARY(a, "fildll", "", z, STORE);                                     \
        return z;                                                             \
    }                                                                         \
    static int32_t x87_##NAME##_to_i32(TYPE a, int rounding)                  \
    {                                                                         \
        int32_t z;                                                            \
        load_control((control & ~ROUNDING) | rounding);                       \
        UNARY(a, LOAD, "", z, "fistpl");                                      \
        load_control(control);                                                \
        return z;                                                             \
    }                                                                         \
    static int64_t x87_##NAME##_to_i64(TYPE a, int rounding)                  \
    {                                                                         \
        int64_t z;                                                            \
        load_control((control & ~ROUNDING) | rounding);                       \
        UNARY(a, LOAD, "", z, "fistpll");                                     \
        load_control(control);                                                \
        return z;                                                             \
    }

FORMAT(f32, float32_t, "flds", "fstps", PRECISION_24)
FORMAT(f64, float64_t, "fldl", "fstpl", PRECISION_53)
FORMAT(extF80, extFloat80_t, "fldt", "fstpt", control &PRECISION)

/* The functions of single and double precision take and return values, those
 * of the 80-bit format take pointers. */
#define VALUE_BINARY(FORMAT, NAME, TYPE, LOAD, OP, STORE) \
    TYPE subj_##FORMAT##_##NAME(TYPE a, TYPE b)           \
    {                                                     \
        TYPE z;                                           \
        enter_##FORMAT();                                 \
        BINARY(a, b, LOAD, OP, z, STORE);                 \
        load_control(control);                            \
        return z;                                         \
    }

#define VALUE_FORMAT(FORMAT, TYPE, LOAD, STORE)                       \
    TYPE subj_i32_to_##FORMAT(int32_t a)                              \
    {                                                                 \
        return x87_##FORMAT##_from_i32(a);                            \
    }                                                                 \
    TYPE subj_i64_to_##FORMAT(int64_t a)                              \
    {                                                                 \
        return x87_##FORMAT##_from_i64(a);                            \
    }                                                                 \
    VALUE_BINARY(FORMAT, add, TYPE, LOAD, "fadd %%st(1),%%st", STORE) \
    VALUE_BINARY(FORMAT, sub, TYPE, LOAD, "fsub %%st(1),%%st", STORE) \
    VALUE_BINARY(FORMAT, mul, TYPE, LOAD, "fmul %%st(1),%%st", STORE) \
    VALUE_BINARY(FORMAT, div, TYPE, LOAD, "fdiv %%st(1),%%st", STORE) \
    VALUE_BINARY(FORMAT, rem, TYPE, LOAD, REMAINDER, STORE)           \
    TYPE subj_##FORMAT##_sqrt(TYPE a)                                 \
    {                                                                 \
        TYPE z;                                                       \
        enter_##FORMAT();                                             \
        UNARY(a, LOAD, "fsqrt", z, STORE);                            \
        load_control(control);                                        \
        return z;                                                     \
    }                                                                 \
    TYPE subj_##FORMAT##_roundToInt_x(TYPE a)                         \
    {                                                                 \
        TYPE z;                                                       \
        UNARY(a, LOAD, "frndint", z, STORE);                          \
        return z;                                                     \
    }

VALUE_FORMAT(f32, float32_t, "flds", "fstps")
VALUE_FORMAT(f64, float64_t, "fldl", "fstpl")

#define COMPARISON(FORMAT, NAME, TYPE, STAR, QUIET, ONE, TWO)      \
    bool subj_##NAME(TYPE a, TYPE b)                               \
    {                                                              \
        return x87_##FORMAT##_is(STAR a, STAR b, QUIET, ONE, TWO); \
    }

#define COMPARISONS(FORMAT, PREFIX, TYPE, STAR)                                \
    COMPARISON(FORMAT, PREFIX##_eq, TYPE, STAR, true, EQUAL, EQUAL)            \
    COMPARISON(FORMAT, PREFIX##_le, TYPE, STAR, false, EQUAL, LESS)            \
    COMPARISON(FORMAT, PREFIX##_lt, TYPE, STAR, false, LESS, LESS)             \
    COMPARISON(FORMAT, PREFIX##_eq_signaling, TYPE, STAR, false, EQUAL, EQUAL) \
    COMPARISON(FORMAT, PREFIX##_le_quiet, TYPE, STAR, true, EQUAL, LESS)       \
    COMPARISON(FORMAT, PREFIX##_lt_quiet, TYPE, STAR, true, LESS, LESS)

COMPARISONS(f32, f32, float32_t, )
COMPARISONS(f64, f64, float64_t, )
COMPARISONS(extF80, extF80M, const extFloat80_t *, *)

#define TO_INTEGER(FORMAT, PREFIX, TYPE, STAR, NAME, ROUNDING) \
    int_fast32_t subj_##PREFIX##_to_i32_rx_##NAME(TYPE a)      \
    {                                                          \
        return x87_##FORMAT##_to_i32(STAR a, ROUNDING);        \
    }                                                          \
    int_fast64_t subj_##PREFIX##_to_i64_rx_##NAME(TYPE a)      \
    {                                                          \
        return x87_##FORMAT##_to_i64(STAR a, ROUNDING);        \
    }

#define TO_INTEGERS(FORMAT, PREFIX, TYPE, STAR)                      \
    TO_INTEGER(FORMAT, PREFIX, TYPE, STAR, near_even, ROUND_NEAREST) \
    TO_INTEGER(FORMAT, PREFIX, TYPE, STAR, minMag, ROUND_TO_ZERO)    \
    TO_INTEGER(FORMAT, PREFIX, TYPE, STAR, min, ROUND_DOWN)          \
    TO_INTEGER(FORMAT, PREFIX, TYPE, STAR, max, ROUND_UP)

TO_INTEGERS(f32, f32, float32_t, )
TO_INTEGERS(f64, f64, float64_t, )
TO_INTEGERS(extF80, extF80M, const extFloat80_t *, *)

float64_t subj_f32_to_f64(float32_t a)
{
    float64_t z;
    UNARY(a, "flds", "", z, "fstpl");
    return z;
}

float32_t subj_f64_to_f32(float64_t a)
{
    float32_t z;
    UNARY(a, "fldl", "", z, "fstps");
    return z;
}

float32_t subj_extF80M_to_f32(const extFloat80_t *a)
{
    float32_t z;
    UNARY(*a, "fldt", "", z, "fstps");
    return z;
}

float64_t subj_extF80M_to_f64(const extFloat80_t *a)
{
    float64_t z;
    UNARY(*a, "fldt", "", z, "fstpl");
    return z;
}

void subj_f32_to_extF80M(float32_t a, extFloat80_t *z)
{
    UNARY(a, "flds", "", *z, "fstpt");
}

void subj_f64_to_extF80M(float64_t a, extFloat80_t *z)
{
    UNARY(a, "fldl", "", *z, "fstpt");
}

void subj_i32_to_extF80M(int32_t a, extFloat80_t *z)
{
    *z = x87_extF80_from_i32(a);
}

void subj_i64_to_extF80M(int64_t a, extFloat80_t *z)
{
    *z = x87_extF80_from_i64(a);
}

#define EXTENDED_UNARY(NAME, OP)                                     \
    void subj_extF80M_##NAME(const extFloat80_t *a, extFloat80_t *z) \
    {                                                                \
        UNARY(*a, "fldt", OP, *z, "fstpt");                          \
    }

EXTENDED_UNARY(roundToInt_x, "frndint")
EXTENDED_UNARY(sqrt, "fsqrt")

#define EXTENDED_BINARY(NAME, OP)                                          \
    void subj_extF80M_##NAME(const extFloat80_t *a, const extFloat80_t *b, \
                             extFloat80_t *z)                              \
    {                                                                      \
        BINARY(*a, *b, "fldt", OP, *z, "fstpt");                           \
    }

EXTENDED_BINARY(add, "fadd %%st(1),%%st")
EXTENDED_BINARY(sub, "fsub %%st(1),%%st")
EXTENDED_BINARY(mul, "fmul %%st(1),%%st")
EXTENDED_BINARY(div, "fdiv %%st(1),%%st")
EXTENDED_BINARY(rem, REMAINDER)
