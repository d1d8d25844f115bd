// The program calls RCCE_malloc before RCCE_init.
// cc: -O1 -g -lrcce
// run: -n 1
// expect-exit: 0
// expect-stderr: core 00: RCCE_malloc at main \(malloc_before_init\.c:18\) returned NULL: RCCE is not initialized: RCCE_init was not called before
// expect-stderr: hint: call RCCE_init first

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
#ifdef MENDED
    RCCE_init(&argc, &argv);
    t_vcharp block = RCCE_malloc(64);
#else
    t_vcharp block = RCCE_malloc(64);
    RCCE_init(&argc, &argv);
#endif
    char text[32] = "text";
    RCCE_put(block, (t_vcharp)text, 32, 0);
    RCCE_finalize();
    return 0;
}
