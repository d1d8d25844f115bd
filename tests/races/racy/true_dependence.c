// An iteration reads what the one before writes.
// race: 11 11 `a`
#include "suite.h"

PROGRAM(true_dependence)
{
    static int a[65];

#pragma omp parallel for
    for (int n = 1; n < 65; n++)
        a[n] = a[n - 1] + 1;
    return 0;
}
