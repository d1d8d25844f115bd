// The program asks for its number before RCCE_init.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 00: RCCE_ue at main \(number_before_init\.c:\d+\) returns 0: RCCE is not initialized: RCCE_init was not called before
// expect-stderr: hint: call RCCE_init first

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
#ifdef MENDED
    RCCE_init(&argc, &argv);
    int me = RCCE_ue();
#else
    int me = RCCE_ue();
    RCCE_init(&argc, &argv);
#endif
    printf("%d\n", me);
    RCCE_finalize();
    return 0;
}
