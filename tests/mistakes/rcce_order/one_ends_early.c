// One UE returns from main early; the others wait for it.
// cc: -O1 -g -lrcce
// run: -n 3
// expect-exit: 75
// expect-stderr: UEs 0 and 2 wait, UE 1 did not come: UE 1 ended with exit code 0
// expect-stderr: UE 0 \(core 00\) waits for UE 1: RCCE_barrier \(in RCCE_finalize\), at main \(one_ends_early\.c:19\)
// expect-stderr: hint: all members must call it equally often: look for one inside an `if`

#include <stdio.h>
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifndef MENDED
    if (RCCE_ue() == 1)
        return 0;
#endif
    RCCE_finalize();
    return 0;
}
