// A sum by reduction.
// silence
#include "suite.h"

PROGRAM(reduction)
{
    int sum = 0;

#pragma omp parallel for reduction(+ : sum)
    for (int n = 0; n < 64; n++)
        sum += n;
    return sum != 2016;
}
