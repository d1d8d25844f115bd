// Critical sections of two names.
// race: 14 19 `sum`
#include "suite.h"

PROGRAM(critical_names)
{
    int sum = 0;

#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical(first)
            sum += 1;
        }
#pragma omp section
        {
#pragma omp critical(second)
            sum += 2;
        }
    }
    return sum > 3;
}
