// One UE alone asks for a block of shared memory, so the next one lies elsewhere.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: UE 0 calls RCCE_shmalloc of 4,096 bytes at main \(block_of_one\.c:17\), and UE 1 RCCE_shmalloc of 64 bytes at main \(block_of_one\.c:21\): their blocks do not lie at one place
// expect-stderr: hint: all UEs must make the same calls of it with the same sizes, in one order

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifndef MENDED
    if (RCCE_ue() == 0)
        RCCE_shmalloc(4096);
#else
    RCCE_shmalloc(4096);
#endif
    volatile int *words = (volatile int *)RCCE_shmalloc(64);
    if (RCCE_ue() == 0)
        words[0] = 7;
    RCCE_barrier(&RCCE_COMM_WORLD);
    printf("%d\n", words[0]);
    RCCE_finalize();
    return 0;
}
