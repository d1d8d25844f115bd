// UE 1 asks in a loop whether a message has come that nobody sends.
// cc: -O1 -g -lircce -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: UE 0 waits, UE 1 did not come: UE 1 is at main \(asked_for_ever\.c:\d+\)
// expect-stderr: hint: look at what UE 1 asks for in its loop: it never comes

#include "iRCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5, there = 0;
    RCCE_init(&argc, &argv);
    iRCCE_init();
    if (RCCE_ue() == 1) {
        iRCCE_RECV_REQUEST got;
        iRCCE_irecv((char *)&number, sizeof number, 0, &got);
        while (!there)
            iRCCE_irecv_test(&got, &there);
    }
#ifdef MENDED
    if (RCCE_ue() == 0) {
        iRCCE_SEND_REQUEST sent;
        iRCCE_isend((char *)&number, sizeof number, 1, &sent);
        iRCCE_isend_wait(&sent);
    }
#endif
    RCCE_finalize();
    return 0;
}
