// An index names one element twice.
// race: 14 14 `a`
#include "suite.h"

PROGRAM(indirect)
{
    static int a[64], index[64];

    for (int n = 0; n < 64; n++)
        index[n] = n % 32;

#pragma omp parallel for
    for (int n = 0; n < 64; n++)
        a[index[n]] += n;
    return 0;
}
