// Iterations write one variable.
// race: 11 11 `last`
#include "suite.h"

PROGRAM(output_dependence)
{
    int last = 0;

#pragma omp parallel for
    for (int n = 0; n < 64; n++)
        last = n;
    return last < 0;
}
