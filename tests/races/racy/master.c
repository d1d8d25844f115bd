// Nobody waits for master.
// race: 15 16 `value`
#include <omp.h>

#include "suite.h"

PROGRAM(master)
{
    int value = 0;
    static int seen[64];

#pragma omp parallel
    {
#pragma omp master
        value = 7;
        seen[omp_get_thread_num()] = value;
    }
    return value != 7;
}
