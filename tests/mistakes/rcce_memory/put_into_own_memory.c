// The target of RCCE_put is private memory.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_put failed at main \(put_into_own_memory\.c:22\): the target, with all its bytes, is not in a message buffer; the program did not look at the error that it returned
// expect-stderr: hint: the target of RCCE_put comes from RCCE_malloc

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    char text[32] = "text", there[32];
    (void)there;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    t_vcharp target = RCCE_malloc(32);
#else
    t_vcharp target = (t_vcharp)there;
#endif
    RCCE_put(target, (t_vcharp)text, 32, 1);
    RCCE_finalize();
    return 0;
}
