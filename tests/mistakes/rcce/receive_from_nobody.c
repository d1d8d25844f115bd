// UE 0 receives from UE -1.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 00: RCCE_recv failed at main \(receive_from_nobody\.c:23\): no such UE: -1 \(UEs are 0 to 1\); the program did not look at the error that it returned
// expect-stderr: hint: look at the first and the last UE, and at `rck run -n`

#include <stdio.h>
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
    RCCE_init(&argc, &argv);
    int me = RCCE_ue();
#ifdef MENDED
    if (me == 0)
        RCCE_send((char *)&number, sizeof number, 1);
    else
        RCCE_recv((char *)&number, sizeof number, 0);
#else
    if (me == 0)
        RCCE_recv((char *)&number, sizeof number, me - 1);
#endif
    RCCE_finalize();
    return 0;
}
