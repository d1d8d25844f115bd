// A loop, its barrier, and a loop that reads.
// silence
#include "suite.h"

PROGRAM(two_loops)
{
    static int a[64], b[64];

#pragma omp parallel
    {
#pragma omp for
        for (int n = 0; n < 64; n++)
            a[n] = n;
#pragma omp for
        for (int n = 0; n < 64; n++)
            b[n] = a[63 - n];
    }
    return b[0] != 63;
}
