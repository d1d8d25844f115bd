// A value of one thread for all.
// silence
#include <omp.h>

#include "suite.h"

PROGRAM(copyprivate)
{
    static int seen[64];

#pragma omp parallel
    {
        int value = 0;

#pragma omp single copyprivate(value)
        value = 7;
        seen[omp_get_thread_num()] = value;
    }
    return seen[0] != 7;
}
