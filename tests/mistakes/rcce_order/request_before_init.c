// The program uses iRCCE without iRCCE_init.
// cc: -O1 -g -lircce -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: iRCCE_irecv failed at main \(request_before_init\.c:23\): RCCE or the communicator is not initialized
// expect-stderr: hint: call iRCCE_init behind RCCE_init

#include "iRCCE.h"

int main(int argc, char **argv)
{
    int number = 5;
    iRCCE_SEND_REQUEST sent;
    iRCCE_RECV_REQUEST got;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    iRCCE_init();
#endif
    if (RCCE_ue() == 0) {
        iRCCE_isend((char *)&number, sizeof number, 1, &sent);
        iRCCE_isend_wait(&sent);
    } else {
        iRCCE_irecv((char *)&number, sizeof number, 0, &got);
        iRCCE_irecv_wait(&got);
    }
    RCCE_finalize();
    return 0;
}
