// The result of a task after its taskwait.
// silence
#include "suite.h"

PROGRAM(task_wait)
{
    int result = 0, seen = 0;

#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(result)
        result = 7;
#pragma omp taskwait
        seen = result;
    }
    return seen != 7;
}
