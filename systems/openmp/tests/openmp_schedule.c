// OMP_SCHEDULE in capitals, with a modifier and blanks.
// cc: -O2 -fopenmp
// run: -n 2 --tag none --env "OMP_SCHEDULE=MONOTONIC: Dynamic , 4"
// expect-stdout:
// dynamic, chunks of 4, sum 4950
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_sched_t kind;
    int chunk, sum = 0;

    omp_get_schedule(&kind, &chunk);
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int n = 0; n < 100; n++)
        sum += n;
    printf("%s, chunks of %d, sum %d\n",
           kind == omp_sched_dynamic ? "dynamic" : "another", chunk, sum);
    return 0;
}
