// A variable of each thread, and copyin.
// silence
#include <omp.h>

#include "suite.h"

static int counter;
#pragma omp threadprivate(counter)

PROGRAM(threadprivate)
{
    static int seen[64];

    counter = 5;
#pragma omp parallel copyin(counter)
    {
        counter += omp_get_thread_num();
        seen[omp_get_thread_num()] = counter;
    }
    return seen[0] != 5;
}
