// A lock of OpenMP that may be taken twice.
// silence
#include <omp.h>

#include "suite.h"

PROGRAM(nested_lock)
{
    omp_nest_lock_t lock;
    int sum = 0;

    omp_init_nest_lock(&lock);
#pragma omp parallel for
    for (int n = 0; n < 8; n++) {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        sum += n;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    return sum != 28;
}
