// Only shared memory can be committed; a stride is no less than a size.
// cc: -O2 -pthread
// run: -n 1 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-exit: 1
// expect-stderr: crf_commit: 0x[0-9a-f]+ is not shared
// expect-stderr: hint: static data, malloc's memory and stacks are shared
#include <stdio.h>

#include "crf.h"

int main(void)
{
    int here = 1;

    crf_commit(&here, 1, 0, sizeof here);
    crf_commit(stdout, 1, 0, 4);
    return 0;
}
