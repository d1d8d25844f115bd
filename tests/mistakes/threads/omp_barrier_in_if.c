// One thread of the team calls one barrier more than the others.
// cc: -O1 -g -fopenmp
// run: -n 3
// expect-exit: 75
// expect-stderr: team-missing-members: the main thread waits at the end of a parallel region(?s:.*)hint: all threads of the team must come: look for a barrier, or a loop shared by the team, inside an `if`, `single` or `critical`
// expect-stderr: threads have passed unequal numbers of barriers

#include <omp.h>
int main(void)
{
#pragma omp parallel num_threads(3)
    {
#ifdef MENDED
#pragma omp barrier
#else
        if (omp_get_thread_num() == 0) {
#pragma omp barrier
        }
#endif
    }
    return 0;
}
