// Threads add to one variable without a reduction.
// cc: -O1 -g -fopenmp
// run: -n 2 --check races
// expect-exit: 0
// expect-stderr: race: core 1 read in `sum`, and core 0 wrote
// expect-stderr: sum_without_reduction\.c:20
// expect-stderr: hint: let one core wait for the other between sum_without_reduction\.c:17 and sum_without_reduction\.c:20: by a flag, a lock or a barrier

#include <omp.h>
#include <stdio.h>
int main(void)
{
    int sum = 0;
#ifdef MENDED
#pragma omp parallel for reduction(+ : sum)
#else
#pragma omp parallel for
#endif
    for (int n = 1; n <= 100; n++)
        sum += n;
    printf("sum %d\n", sum);
    return 0;
}
