// A sum of two numbers is larger than an int (compiled with `-fsanitize=undefined`).
// cc: -O0 -g -fsanitize=undefined
// run: -n 1
// expect-exit: 76
// expect-stderr: core 00 \(tile 0,0\): a sum overflows its type
// expect-stderr: at main \(sum_too_large\.c:20\)
// expect-stderr: hint: let the type be wide enough, or unsigned, or test the operands first

#include <stdio.h>

#ifdef MENDED
typedef unsigned number;
#else
typedef int number;
#endif

int main(void)
{
    volatile number one = 2000000000, other = 2000000000;
    volatile number sum = one + other;
    printf("%u\n", (unsigned)sum);
    return 0;
}
