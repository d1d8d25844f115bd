// A UE waits in a loop for a variable that another UE sets: each core has variables of its own.
// cc: -O1 -g -lrcce
// run: -n 2 --timeout 4
// expect-exit: 75
// expect-stderr: core 01 \(tile 0,0\) in main \(variable_of_another_core\.c:\d+\)
// expect-stderr: hint: look for a loop without an end where a core computes, .*; cores share no variables: what one core sets, another never sees

#include "RCCE.h"

static volatile int go;

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifdef MENDED
    go = 1;
#else
    go = RCCE_ue() == 0;
#endif
    while (!go)
        continue;
    RCCE_finalize();
    return 0;
}
