// One thread does a loop with a dependence at distance 8.
// silence
#include "suite.h"

PROGRAM(simd)
{
    static int a[64];

#pragma omp simd safelen(8)
    for (int n = 8; n < 64; n++)
        a[n] = a[n - 8] + 1;
    return a[63] != 7;
}
