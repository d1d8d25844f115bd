// A loop whose parts are tasks.
// silence
#include "suite.h"

PROGRAM(taskloop)
{
    static int a[32];

#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4)
    for (int n = 0; n < 32; n++)
        a[n] = n;
    return a[31] != 31;
}
