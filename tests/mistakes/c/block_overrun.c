// A write beyond a block destroys what the C library keeps of the next one.
// cc: -O1 -g
// run: -n 1 --check memory
// expect-exit: 76
// expect-stderr: beyond-block: core 0 wrote \d+ bytes right behind a block of 24 bytes
// expect-stderr: hint: let block_overrun\.c:20 stay within the block, or allocate more in block_overrun\.c:19

#include <stdlib.h>
#include <string.h>

#ifdef MENDED
enum { BYTES = 24 };
#else
enum { BYTES = 60 };
#endif

int main(void)
{
    char *volatile one = malloc(24), *volatile next = malloc(24);
    memset(one, 'x', BYTES);
    int first = one[0];
    free(next);
    free(one);
    return first != 'x';
}
