// Nowait between loops whose iterations each thread has alike.
// silence
#include "suite.h"

PROGRAM(nowait_own)
{
    static int a[64], b[64];

#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int n = 0; n < 64; n++)
            a[n] = n;
#pragma omp for schedule(static)
        for (int n = 0; n < 64; n++)
            b[n] = a[n];
    }
    return b[9] != 9;
}
