// A flag with flushes, and without atomic.
// race: 17 26 `flag`
#include "suite.h"

static int flag;

PROGRAM(flush_flag)
{
    int data = 0;

#pragma omp parallel sections
    {
#pragma omp section
        {
            data = 5;
#pragma omp flush
            flag = 1;
#pragma omp flush
        }
#pragma omp section
        {
            int seen = 0;

            while (!seen) {
#pragma omp flush
                seen = flag;
            }
#pragma omp flush
            seen = data;
        }
    }
    return data != 5;
}
