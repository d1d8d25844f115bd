// malloc without room says so; free of what is no block ends the program.
// cc: -O2 -pthread
// run: -n 2 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-exit: 76
// expect-stdout:
// Out of memory
// expect-stderr: free\(\): invalid pointer
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static char none[64];
    void *volatile memory = malloc(300000000);

    if (!memory)
        puts(strerror(errno));
    fflush(stdout);
    free(none + 32);
    return 0;
}
