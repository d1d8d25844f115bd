// A race at the end of a parallel region, of a variable of the function around
// it and of a global one.
// cc: -g -fopenmp
// run: -n 2 --tag none --check races
// also: -n 4
// expect-match: sum \d+
// expect-stderr: in `sum`,? and core \d wrote 0x[0-9a-f]+: nothing orders them
// expect-stderr: in `last`,? and core \d wrote 0x[0-9a-f]+: nothing orders them
// expect-stderr: main.* \(racy_region.c:\d+\)
#include <stdio.h>

static int last;

int main(void)
{
    int sum = 0;

#pragma omp parallel for
    for (int n = 1; n <= 1000; n++) {
        sum += n;
        last = n;
    }
    printf("sum %d of 500500, last %d\n", sum, last);
    return 0;
}
