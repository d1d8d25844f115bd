// A taskwait does not wait for grandchildren.
// race: 15 18 `value`
#include "suite.h"

static int value, seen;

PROGRAM(taskgroup_missing)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            value = 1;
        }
#pragma omp taskwait
        seen = value;
    }
    return seen > 1;
}
