// RCCE_shmalloc asks for more than the shared memory has.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 76
// expect-stderr: RCCE_shmalloc of 1,073,741,824 bytes at main \(shared_memory_full\.c:19\) returned NULL: the shared memory has no room for them
// expect-stderr: hint: ask for less, or free blocks
// expect-stderr: at main \(shared_memory_full\.c:21\)

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifdef MENDED
    t_vcharp block = RCCE_shmalloc(4096);
#else
    t_vcharp block = RCCE_shmalloc(1u << 30);
#endif
    block[RCCE_ue()] = 1;
    RCCE_finalize();
    return 0;
}
