// The others wait for a single.
// silence
#include <omp.h>

#include "suite.h"

PROGRAM(single)
{
    int value = 0;
    static int seen[64];

#pragma omp parallel
    {
#pragma omp single
        value = 7;
        seen[omp_get_thread_num()] = value;
    }
    return value != 7;
}
