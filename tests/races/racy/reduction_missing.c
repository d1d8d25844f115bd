// A sum without a reduction.
// race: 11 11 `sum`
#include "suite.h"

PROGRAM(reduction_missing)
{
    int sum = 0;

#pragma omp parallel for
    for (int n = 0; n < 64; n++)
        sum += n;
    return sum < 0;
}
