// Tasks of tasks, each with a taskwait.
// silence
#include "suite.h"

static int fib(int n)
{
    int a, b;

    if (n < 2)
        return n;
#pragma omp task shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

PROGRAM(task_tree)
{
    int result = 0;

#pragma omp parallel
#pragma omp single
    result = fib(8);
    return result != 21;
}
