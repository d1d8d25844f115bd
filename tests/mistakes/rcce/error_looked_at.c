// No mistake: the program looks at the error of a call that fails.
// cc: -O1 -g -lrcce
// run: --quiet -n 1
// expect-exit: 0
// expect-stdout:
// refused

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
    RCCE_init(&argc, &argv);
    if (RCCE_send((char *)&number, sizeof number, 7) != RCCE_SUCCESS)
        puts("refused");
    int kept = RCCE_send((char *)&number, sizeof number, 8);
    RCCE_finalize();
    return kept == RCCE_SUCCESS;
}
