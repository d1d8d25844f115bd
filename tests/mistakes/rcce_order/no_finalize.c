// The program ends without RCCE_finalize.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: the program ended without RCCE_finalize \(RCCE_init at main \(no_finalize\.c:14\)\)
// expect-stderr: hint: call RCCE_finalize on every way out of main

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    printf("UE %d\n", RCCE_ue());
#ifdef MENDED
    RCCE_finalize();
#endif
    return 0;
}
