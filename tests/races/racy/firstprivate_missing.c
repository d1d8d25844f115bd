// A start value that threads change.
// race: 14 14 `offset`
#include <omp.h>

#include "suite.h"

PROGRAM(firstprivate_missing)
{
    int offset = 3;
    static int a[64];

#pragma omp parallel
    {
        offset += omp_get_thread_num();
        a[omp_get_thread_num()] = 1;
    }
    return offset < 3;
}
