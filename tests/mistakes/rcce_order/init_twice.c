// The program calls RCCE_init twice.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_init is called again at main \(init_twice\.c:16\)
// expect-stderr: hint: call RCCE_init once

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifndef MENDED
    RCCE_init(&argc, &argv);
#endif
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
