// Two tasks that depend as readers write.
// race: 13 15 `value`
#include "suite.h"

static int value;

PROGRAM(task_readers_write)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(in : value)
        value = 1;
#pragma omp task depend(in : value)
        value = 2;
    }
    return value > 2;
}
