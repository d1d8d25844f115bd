// A block is freed twice with another free between.
// cc: -O1 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: free\(\): double free
// expect-stderr: aborted \(a wrong free\)
// expect-stderr: at main \(freed_twice_unchecked\.c:18\)
// expect-stderr: hint: `rck run --check memory` names the lines that allocated the block, freed it, or wrote

#include <stdlib.h>

int main(void)
{
    char *volatile block = malloc(100), *volatile other = malloc(100);
    free(block);
    free(other);
#ifndef MENDED
    free(block);
#endif
    return 0;
}
