// malloc returns NULL for lack of memory, and the program does not check it.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: segmentation fault at address 0x00000000 \(a null pointer\?\)
// expect-stderr: at main \(malloc_fails\.c:19\)
// expect-stderr: hint: look for a pointer that was never set, at the line named above; malloc, fopen and RCCE_malloc return NULL where they fail

#include <stdlib.h>

int main(void)
{
#ifdef MENDED
    size_t bytes = 1000;
#else
    size_t bytes = 3000000000u;
#endif
    char *block = malloc(bytes);
    block[0] = 1;
    return 0;
}
