// One of two updates is atomic.
// race: 14 17 `sum`
#include "suite.h"

PROGRAM(atomic_half)
{
    int sum = 0;

#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp atomic
            sum += 1;
        }
#pragma omp section
        sum += 2;
    }
    return sum > 3;
}
