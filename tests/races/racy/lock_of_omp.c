// A lock of OpenMP on one side.
// race: 18 22 `sum`
#include <omp.h>

#include "suite.h"

PROGRAM(lock_of_omp)
{
    omp_lock_t lock;
    int sum = 0;

    omp_init_lock(&lock);
#pragma omp parallel sections
    {
#pragma omp section
        {
            omp_set_lock(&lock);
            sum += 1;
            omp_unset_lock(&lock);
        }
#pragma omp section
        sum += 2;
    }
    omp_destroy_lock(&lock);
    return sum > 3;
}
