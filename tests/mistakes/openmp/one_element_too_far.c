// A parallel loop goes from 1 to the number of elements; the first one is read and never written.
// cc: -O1 -g -fopenmp
// run: -n 1 --check unwritten
// expect-stderr: beyond-block: core 0 wrote 8 bytes right behind a block of 800 bytes
// expect-stderr: hint: let one_element_too_far\.c:23 stay within the block, or allocate more in one_element_too_far\.c:20
// expect-stderr: unwritten: core 0 took a branch by a value that was never written

#include <stdio.h>
#include <stdlib.h>

#ifdef MENDED
enum { FIRST = 0 };
#else
enum { FIRST = 1 };
#endif

int main(void)
{
    int n = 100, above = 0;
    double *numbers = malloc(n * sizeof *numbers);
#pragma omp parallel for
    for (int i = FIRST; i < n + FIRST; i++)
        numbers[i] = i * 0.5;
#pragma omp parallel for reduction(+ : above)
    for (int i = 0; i < n; i++)
        if (numbers[i] > 2)
            above++;
    printf("%d\n", above);
    free(numbers);
    return 0;
}
