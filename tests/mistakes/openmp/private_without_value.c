// The private copy of a variable begins without its value.
// cc: -O0 -g -fopenmp
// run: -n 1 --check unwritten
// expect-exit: 0
// expect-stderr: unwritten: core 0 took a branch by a value that was never written
// expect-stderr: hint: write the variable on the stack of private_without_value\.c:\d+ before private_without_value\.c:\d+ uses it

#include <stdio.h>

int main(void)
{
    int base = 100, all[8];
#ifdef MENDED
#pragma omp parallel for firstprivate(base)
#else
#pragma omp parallel for private(base)
#endif
    for (int i = 0; i < 8; i++)
        all[i] = base + i;
    printf("%d\n", all[7]);
    return 0;
}
