// The result of a task is used before a taskwait.
// race: 13 14 `result`
#include "suite.h"

PROGRAM(task_without_wait)
{
    int result = 0, seen = 0;

#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(result)
        result = 7;
        seen = result;
    }
    return seen > 7;
}
