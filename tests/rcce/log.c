// RCCE_LOG=sizes prints each message and each UE's row of the message matrix;
// the program knows nothing of it.
// run: -n 3 --tag none --env RCCE_LOG=sizes
// also-slow: --kernel l4
// cc: -lircce -lrcce
// expect-stdout:
// done
// expect-stderr: RCCE log: message 0 to 1: 100 bytes
// expect-stderr: RCCE log: message 0 to 2: 8996 bytes
// expect-stderr: RCCE log: message 0 to 1: 4 bytes
// expect-stderr: RCCE log: message 1 to 0: 33 bytes
// expect-stderr: RCCE log: UE 0: \d+ cycles
// expect-stderr: RCCE log: UE 0: 4 messages, 9104 bytes sent
// expect-stderr: RCCE log: 0 to 1: 2 messages, 104 bytes
// expect-stderr: RCCE log: 0 to 2: 2 messages, 9000 bytes
// expect-stderr: RCCE log: UE 1: 1 messages, 33 bytes sent
// expect-stderr: RCCE log: UE 2: 0 messages, 0 bytes sent
#include "iRCCE.h"

static char data[9000];

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue();
    if (me == 0) {
        RCCE_send(data, 100, 1);
        iRCCE_isend(data, 8996, 2, NULL);
    } else {
        RCCE_recv(data, me == 1 ? 100 : 8996, 0);
    }
    RCCE_bcast(data, 4, 0, RCCE_COMM_WORLD);
    if (me == 1)
        iRCCE_ssend(data, 33, 0);
    if (me == 0) {
        iRCCE_srecv(data, 33, 1);
        puts("done");
    }
    return RCCE_finalize();
}
