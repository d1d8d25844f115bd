// A critical region calls a function with a critical region.
// cc: -O1 -g -fopenmp -fno-inline
// run: -n 2
// expect-exit: 75
// expect-stderr: lock-taken-twice: .* waits in #pragma omp critical, which it holds itself(?s:.*)hint: unlock it first, or make it recursive
// expect-stderr: #pragma omp critical, at add .*nested.c:16

#include <omp.h>
static int sum;
static void add(void)
{
#ifdef MENDED
#pragma omp atomic
    sum++;
#else
#pragma omp critical
    sum++;
#endif
}
int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        add();
    }
    return sum != 2;
}
