/* 64-bit division by 32-bit numbers, which C would leave to a run-time
 * library that the kernel does not link. */
#include "defs.h"

u64 divide(u64 dividend, u32 divisor, u32 *remainder)
{
    u32 high = (u32)(dividend >> 32);
    u32 low = (u32)dividend;
    u32 rest = 0;
    u32 quotient_high;
    u32 quotient_low;

    /* Schoolbook division in two digits: the first rest is below the
     * divisor, so neither DIV can overflow. */
    __asm__("divl %4"
            : "=a"(quotient_high), "=d"(rest)
            : "0"(high), "1"(rest), "r"(divisor));
    __asm__("divl %4"
            : "=a"(quotient_low), "=d"(rest)
            : "0"(low), "1"(rest), "r"(divisor));
    if (remainder)
        *remainder = rest;
    return (u64)quotient_high << 32 | quotient_low;
}

/* value * factor / divisor without losing the product's upper bits. */
u64 multiply_divide(u64 value, u32 factor, u32 divisor)
{
    u32 rest;
    u64 whole = divide(value, divisor, &rest);

    return whole * factor + divide((u64)rest * factor, divisor, NULL);
}
