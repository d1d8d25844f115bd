// A pointer that walked through its block is freed, in a program of threads.
// cc: -O1 -g -pthread
// run: -n 1
// expect-exit: 76
// expect-stderr: free\(\): invalid pointer
// expect-stderr: aborted \(a wrong free\)
// expect-stderr: at main \(freed_within\.c:19\)

#include <stdlib.h>

int main(void)
{
    char *volatile block = malloc(100), *volatile at = block;
    while (at < block + 8)
        at++;
#ifdef MENDED
    at = block;
#endif
    free(at);
    return 0;
}
