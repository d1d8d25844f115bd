// The program uses what iRCCE_irecv receives without a wait.
// cc: -O1 -g -lircce -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 01: nobody waited for the request of iRCCE_irecv at main \(receive_not_waited\.c:\d+\)
// expect-stderr: hint: the buffer may be used when iRCCE_irecv_wait returns

#include <stdio.h>

#include "iRCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
    iRCCE_SEND_REQUEST sent;
    iRCCE_RECV_REQUEST got;
    RCCE_init(&argc, &argv);
    iRCCE_init();
    if (RCCE_ue() == 0) {
        iRCCE_isend((char *)&number, sizeof number, 1, &sent);
        iRCCE_isend_wait(&sent);
    } else {
        iRCCE_irecv((char *)&number, sizeof number, 0, &got);
#ifdef MENDED
        iRCCE_irecv_wait(&got);
#endif
        printf("%d\n", number);
    }
    RCCE_finalize();
    return 0;
}
