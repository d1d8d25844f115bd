// One UE does not call a barrier that the other calls.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: unequal-barriers: RCCE_barrier of RCCE_COMM_WORLD \(2 members\): UE 0 waits, UE 1 did not come
// expect-stderr: hint: all members must call it equally often: look for one inside an `if`

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifndef MENDED
    if (RCCE_ue() != 1)
#endif
        RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 1)
        printf("done\n");
    RCCE_finalize();
    return 0;
}
