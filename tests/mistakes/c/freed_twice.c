// A block is freed twice: both lines are named.
// cc: -O1 -g
// run: -n 1 --check memory
// expect-exit: 76
// expect-stderr: double-free: core 0 freed a block of 100 bytes that was free already
// expect-stderr: hint: free the block once: in freed_twice\.c:13 or in freed_twice\.c:15

#include <stdlib.h>

int main(void)
{
    char *volatile block = malloc(100);
    free(block);
#ifndef MENDED
    free(block);
#endif
    return 0;
}
