/*
 * fma.c -- x * y + z with one rounding, for float and double.
 *
 * The product is exact as a pair of long doubles. The sum is rounded to odd
 * in 64 bits (Boldo and Melquiond: boldo-fma-2008): rounding that once more
 * to 53 or 24 bits is the same as rounding the exact sum. The long double
 * form is musl's.
 */
#include "x87.h"

/* a + b rounded to odd: if inexact, the neighbour with an odd last bit. */
static long double add_odd(long double a, long double b)
{
    struct x87_pair sum = x87_two_sum(a, b);
    union x87_bits bits = {sum.head};

    if (sum.tail == 0 || bits.part.significand & 1)
        return sum.head;
    if (x87_negative(sum.head) == x87_negative(sum.tail)) {
        bits.part.significand++;
    } else {
        bits.part.significand--;
        if (bits.part.significand >> 63 == 0) { /* below a power of two */
            bits.part.significand = UINT64_MAX;
            bits.part.sign_exponent--;
        }
    }
    return bits.value;
}

static long double multiply_add(long double x, long double y, long double z)
{
    long double plain = x * y + z;

    if (!x87_is_finite(plain) || x * y == 0)
        return x87_is_finite(z) || !x87_is_finite(x) || !x87_is_finite(y)
                   ? plain
                   : z;
    struct x87_pair product = x87_two_product(x, y);
    struct x87_pair low = x87_two_sum(z, product.tail);
    struct x87_pair high = x87_two_sum(product.head, low.head);

    return add_odd(high.head, add_odd(low.tail, high.tail));
}

float fmaf(float x, float y, float z)
{
    return (float)multiply_add(x, y, z);
}

double fma(double x, double y, double z)
{
    return (double)multiply_add(x, y, z);
}
