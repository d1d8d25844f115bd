// The program uses a communicator that RCCE_comm_split never made.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_barrier failed at main \(communicator_not_made\.c:19\): RCCE or the communicator is not initialized
// expect-stderr: communicators come from RCCE_comm_split
// expect-stderr: hint: call RCCE_init first and RCCE_finalize last; communicators come from RCCE_comm_split

#include <stdio.h>
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    static RCCE_COMM half;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    half = RCCE_COMM_WORLD;
#endif
    RCCE_barrier(&half);
    RCCE_finalize();
    return 0;
}
