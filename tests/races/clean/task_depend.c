// Three tasks, one after the other.
// silence
#include "suite.h"

static int value, seen;

PROGRAM(task_depend)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : value)
        value = 1;
#pragma omp task depend(inout : value)
        value++;
#pragma omp task depend(in : value)
        seen = value;
    }
    return seen != 2;
}
