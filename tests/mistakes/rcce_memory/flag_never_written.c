// UE 0 waits for a flag that nobody writes.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: flag-unwritten: UE 0 waits until its flag
// expect-stderr: hint: somebody must write this flag on the UE that waits for it

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_FLAG flag;
    RCCE_init(&argc, &argv);
    RCCE_flag_alloc(&flag);
    if (RCCE_ue() == 0)
        RCCE_wait_until(flag, RCCE_FLAG_SET);
#ifdef MENDED
    else
        RCCE_flag_write(&flag, RCCE_FLAG_SET, 0);
#endif
    RCCE_finalize();
    return 0;
}
