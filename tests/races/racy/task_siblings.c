// Two tasks write one variable.
// race: 13 15 `value`
#include "suite.h"

static int value;

PROGRAM(task_siblings)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        value = 1;
#pragma omp task
        value = 2;
    }
    return value > 2;
}
