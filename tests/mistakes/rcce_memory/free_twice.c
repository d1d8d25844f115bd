// The program frees a block of RCCE_malloc twice.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_free failed at main \(free_twice\.c:18\): no block of RCCE_malloc begins there: it was freed before
// expect-stderr: hint: free each block once, by the address that RCCE_malloc returned

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    t_vcharp block = RCCE_malloc(64);
    RCCE_free(block);
#ifndef MENDED
    RCCE_free(block);
#endif
    RCCE_finalize();
    return 0;
}
