// An iteration reads what the next one writes.
// race: 11 11 `a`
#include "suite.h"

PROGRAM(anti_dependence)
{
    static int a[65];

#pragma omp parallel for
    for (int n = 0; n < 64; n++)
        a[n] = a[n + 1] + 1;
    return 0;
}
