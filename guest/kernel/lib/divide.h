/* 64-bit division by 32-bit numbers. */
#ifndef LIB_DIVIDE_H
#define LIB_DIVIDE_H

#include "lib/types.h"

u64 divide(u64 dividend, u32 divisor, u32 *remainder);
u64 multiply_divide(u64 value, u32 factor, u32 divisor);

#endif
