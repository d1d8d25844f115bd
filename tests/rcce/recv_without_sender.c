// A receive that nobody serves ends by the time limit, and the report says
// which core waits where.
// run: -n 2 --timeout 3s
// also-slow: --kernel l4
// cc: -lrcce
// expect-exit: 75
// expect-stderr: RCCE_recv
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    char byte;

    if (RCCE_init(&argc, &argv))
        return 1;
    if (RCCE_ue() == 0)
        RCCE_recv(&byte, 1, 1);
    return RCCE_finalize();
}
