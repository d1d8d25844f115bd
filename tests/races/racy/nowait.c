// A loop without its barrier, and another one that reads.
// race: 13 16 `a`
#include "suite.h"

PROGRAM(nowait)
{
    static int a[64], b[64];

#pragma omp parallel
    {
#pragma omp for nowait schedule(static)
        for (int n = 0; n < 64; n++)
            a[n] = n;
#pragma omp for schedule(static)
        for (int n = 0; n < 64; n++)
            b[n] = a[63 - n];
    }
    return 0;
}
