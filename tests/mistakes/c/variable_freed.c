// The program frees a variable.
// cc: -O0 -g
// run: -n 1 --check memory
// expect-exit: 76
// expect-stderr: bad-free: core 0 freed 0x[0-9a-f]+, which no allocation has returned
// expect-stderr: hint: free in variable_freed\.c:15 only what malloc, calloc or realloc returned

#include <stdlib.h>

int main(void)
{
    int numbers[10] = {0, 2, 4, 6, 8};
    int *first = &numbers[4];
#ifndef MENDED
    free(first);
#endif
    return *first != 8;
}
