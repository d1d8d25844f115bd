// The program uses a flag that it never allocated.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 00: RCCE_flag_write failed at main \(flag_not_allocated\.c:20\): the flag was never allocated; the program did not look at the error that it returned
// expect-stderr: hint: RCCE_flag_alloc comes before its first use

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_FLAG flag = 0;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    RCCE_flag_alloc(&flag);
#endif
    if (RCCE_ue() == 0)
        RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
    else
        RCCE_wait_until(flag, RCCE_FLAG_SET);
    RCCE_finalize();
    return 0;
}
