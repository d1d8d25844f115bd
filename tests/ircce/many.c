// iRCCE's messages need what a job of more than 48 UEs does not have.
// cc: -O2 -lircce -lrcce
// run: --chip scc-128 -n 49
// expect-match: \[048\] no
// expect-stderr: iRCCE: a job has at most 48 UEs, not 49
#include "iRCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    puts(iRCCE_init() == RCCE_ERROR_NUM_UES ? "no" : "yes");
    RCCE_finalize();
    return 0;
}
