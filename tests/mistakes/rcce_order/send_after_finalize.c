// A UE sends after RCCE_finalize.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 00: RCCE_send failed at main \(send_after_finalize\.c:20\): RCCE_finalize was called before
// expect-stderr: hint: call RCCE_finalize last

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
    RCCE_init(&argc, &argv);
#ifndef MENDED
    RCCE_finalize();
#endif
    if (RCCE_ue() == 0)
        RCCE_send((char *)&number, sizeof number, 1);
    else
        RCCE_recv((char *)&number, sizeof number, 0);
#ifdef MENDED
    RCCE_finalize();
#endif
    return 0;
}
