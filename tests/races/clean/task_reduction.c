// Tasks that take part in a reduction.
// silence
#include "suite.h"

PROGRAM(task_reduction)
{
    int sum = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int n = 0; n < 8; n++) {
#pragma omp task in_reduction(+ : sum) firstprivate(n)
        sum += n;
    }
    return sum != 28;
}
