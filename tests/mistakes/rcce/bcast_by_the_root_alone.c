// Only the root calls RCCE_bcast.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: send-without-receiver: UE 0 sends 4 bytes to UE 1, which nobody receives
// expect-stderr: UE 0 \(core 00\) waits for UE 1: RCCE_send of 4 bytes \(in RCCE_bcast\), at main \(bcast_by_the_root_alone\.c:21\)
// expect-stderr: hint: add the receive

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    RCCE_bcast((char *)&number, sizeof number, 0, RCCE_COMM_WORLD);
#else
    if (RCCE_ue() == 0)
        RCCE_bcast((char *)&number, sizeof number, 0, RCCE_COMM_WORLD);
#endif
    RCCE_finalize();
    return 0;
}
