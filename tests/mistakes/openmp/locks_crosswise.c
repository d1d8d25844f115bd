// Two threads take two locks in different orders.
// cc: -O1 -g -fopenmp
// run: -n 2
// expect-exit: 75
// expect-stderr: lock-cycle: 2 threads each hold a lock that the one before wants
// expect-stderr: hint: take locks in the same order everywhere

#include <omp.h>

static omp_lock_t locks[2];

int main(void)
{
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
    {
        int first = omp_get_thread_num();
#ifdef MENDED
        first = 0;
#endif
        omp_set_lock(&locks[first]);
#ifndef MENDED
#pragma omp barrier
#endif
        omp_set_lock(&locks[!first]);
        omp_unset_lock(&locks[!first]);
        omp_unset_lock(&locks[first]);
    }
    return 0;
}
