// The last value of a shared variable.
// race: 11 11 `x`
#include "suite.h"

PROGRAM(lastprivate_missing)
{
    int x = 0;

#pragma omp parallel for
    for (int n = 0; n < 64; n++)
        x = n;
    return x < 0;
}
