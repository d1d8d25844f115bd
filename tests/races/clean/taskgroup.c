// A taskgroup waits for grandchildren.
// silence
#include "suite.h"

static int value, seen;

PROGRAM(taskgroup)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                value = 1;
            }
        }
        seen = value;
    }
    return seen != 1;
}
