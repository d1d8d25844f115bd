// The others do not wait for a single.
// race: 15 16 `value`
#include <omp.h>

#include "suite.h"

PROGRAM(single_nowait)
{
    int value = 0;
    static int seen[64];

#pragma omp parallel
    {
#pragma omp single nowait
        value = 7;
        seen[omp_get_thread_num()] = value;
    }
    return value != 7;
}
