/*
 * reduce.c -- x modulo pi/2, right for every finite long double.
 *
 * Up to 2^30 pi/2 is subtracted in three parts, the first two of which have
 * 33 bits, so that their products with the quotient are exact (Cody and
 * Waite). Larger arguments, and those so near a multiple of pi/2 that too
 * little would be left, are multiplied with as many bits of 2/pi as matter
 * (Payne and Hanek): of x = m * 2^e, the bits of 2/pi above weight 4 / 2^e
 * give whole turns and are skipped, and 224 bits from there on leave at least
 * 80 good bits even for the worst argument.
 */
#include "x87.h"

#include "two_over_pi.h"

enum { WINDOW_WORDS = 7, LEADING_BITS = 96 };

#define PIO2_1 0x6487ed51p-30L
#define PIO2_2 0x85a308d3p-65L
#define PIO2_3 0x98cc51701b839a25p-132L
#define PIO2_HEAD 0xc90fdaa22168c235p-63L
#define PIO2_TAIL (-0xece675d1fc8f8cbbp-129L)
#define TWO_OVER_PI 0x517cc1b727220a95p-63L
#define PI_OVER_4 0xc90fdaa22168c235p-64L

/* 64 bits of a window (most significant word first) from a bit on. */
static uint64_t bits_from(const uint32_t *words, int count, int bit)
{
    uint64_t result = 0;

    for (int i = 0; i < 3; i++) {
        int index = bit / 32 + i;
        uint64_t word = index < count ? words[index] : 0;
        int shift = 32 - 32 * i + bit % 32;

        result |= shift >= 0 ? word << shift : word >> -shift;
    }
    return result;
}

/* The low 224 bits of window * m, in place. */
static void multiply(uint32_t window[WINDOW_WORDS], uint64_t m)
{
    uint32_t product[WINDOW_WORDS] = {0};

    for (int half = 0; half < 2; half++) {
        uint32_t factor = (uint32_t)(m >> (32 * half));
        uint64_t carry = 0;

        for (int i = WINDOW_WORDS - 1 - half; i >= 0; i--) {
            carry += (uint64_t)window[i + half] * factor + product[i];
            product[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    for (int i = 0; i < WINDOW_WORDS; i++)
        window[i] = product[i];
}

/* A fraction of a quadrant (below 1/2, as 224 bits whose first two are the
 * quadrant's) as an angle. */
static struct x87_pair angle(const uint32_t fraction[WINDOW_WORDS])
{
    struct x87_pair f, product;
    int first = 2;

    while (first < 32 * WINDOW_WORDS &&
           !(fraction[first / 32] >> (31 - first % 32) & 1))
        first++;
    f.head = bits_from(fraction, WINDOW_WORDS, first);
    f.tail = bits_from(fraction, WINDOW_WORDS, first + 64);
    /* The bit after the two quadrant bits has weight 1/2. */
    f.head = x87_scale(f.head, -(first - 2) - 64);
    f.tail = x87_scale(f.tail, -(first - 2) - 128);
    product = x87_two_product(f.head, PIO2_HEAD);
    product.tail += f.head * PIO2_TAIL + f.tail * PIO2_HEAD;
    return x87_two_sum(product.head, product.tail);
}

/* Reduces any finite positive x of at least pi/4. */
static int reduce_exactly(long double x, struct x87_pair *remainder)
{
    union x87_bits bits = {x};
    uint32_t window[WINDOW_WORDS];
    int exponent = bits.part.sign_exponent - X87_BIAS - 63;
    int position = exponent - 2 + LEADING_BITS;
    int quadrant;
    int negative = 0;

    for (int i = 0; i < WINDOW_WORDS; i++) {
        const uint32_t *words = two_over_pi + (position + 32 * i) / 32;

        window[i] = (uint32_t)(bits_from(words, 2, position % 32) >> 32);
    }
    multiply(window, bits.part.significand);
    quadrant = (int)(window[0] >> 30);
    if (window[0] >> 29 & 1) { /* nearer to the next quadrant: 1 - f */
        quadrant++;
        negative = 1;
        for (int i = 0; i < WINDOW_WORDS; i++)
            window[i] = ~window[i];
    }
    window[0] &= 0x3fffffff;
    *remainder = angle(window);
    if (negative) {
        remainder->head = -remainder->head;
        remainder->tail = -remainder->tail;
    }
    return quadrant & 3;
}

/* Reduce a finite x to |head + tail| <= pi/4 and return the quadrant. */
int rck_math_reduce(long double x, struct x87_pair *remainder)
{
    long double magnitude = x87_abs(x);
    int quadrant;

    if (magnitude <= PI_OVER_4) {
        *remainder = (struct x87_pair){x, 0};
        return 0;
    }
    if (magnitude < 0x1p30L) {
        long double n = x87_rint(magnitude * TWO_OVER_PI);
        struct x87_pair r = x87_two_sum(magnitude - n * PIO2_1, -n * PIO2_2);

        *remainder = x87_two_sum(r.head, r.tail - n * PIO2_3);
        quadrant = (int)n & 3;
    }
    /* 131 bits of n * pi/2 were subtracted: n < 2^30 leaves 2^-101. */
    if (magnitude >= 0x1p30L || x87_abs(remainder->head) < 0x1p-20L)
        quadrant = reduce_exactly(magnitude, remainder);
    if (x87_negative(x)) {
        remainder->head = -remainder->head;
        remainder->tail = -remainder->tail;
        quadrant = -quadrant & 3;
    }
    return quadrant;
}
