// Two sections write one variable.
// race: 12 14 `value`
#include "suite.h"

PROGRAM(sections)
{
    int value = 0;

#pragma omp parallel sections
    {
#pragma omp section
        value = 1;
#pragma omp section
        value = 2;
    }
    return value > 2;
}
