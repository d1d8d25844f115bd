// One of two tasks names no dependence.
// race: 13 15 `value`
#include "suite.h"

static int value, seen;

PROGRAM(task_depend_missing)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : value)
        value = 1;
#pragma omp task
        seen = value;
    }
    return seen > 2;
}
