// The program calls RCCE before RCCE_init.
// cc: -O1 -g -lrcce
// run: -n 1
// expect-exit: 0
// expect-stderr: rck: core 00: RCCE_\w+ failed at main \(send_before_init.c:14\)
// expect-stderr: hint: call RCCE_init first

#include "RCCE.h"
int RCCE_APP(int argc, char **argv)
{
#ifdef MENDED
    RCCE_init(&argc, &argv);
#endif
    RCCE_barrier(&RCCE_COMM_WORLD);
#ifndef MENDED
    RCCE_init(&argc, &argv);
#endif
    RCCE_finalize();
    return 0;
}
