// UE 1 receives from UE 0, which waits for UE 2 in a broadcast that UE 2 does not make.
// cc: -O2 -g -lrcce
// run: -n 3
// expect-exit: 75
// expect-stderr: receive-without-sender: UE 1 receives 8 bytes from UE 0, which nobody sends: UE 0 waits in RCCE_send at main
// expect-stderr: UE 0 \(core 00\) waits for UE 2: RCCE_send of 40 bytes \(in RCCE_bcast\), at main
// expect-stderr: send-without-receiver: UE 0 sends 40 bytes to UE 2, which nobody receives: UE 2 ended with exit code 0

#include "RCCE.h"

int main(int argc, char **argv)
{
    char data[40] = "";

    RCCE_init(&argc, &argv);
    switch (RCCE_ue()) {
    case 0:
        RCCE_send(data, 8, 1);
        RCCE_bcast(data, sizeof data, 0, RCCE_COMM_WORLD);
        break;
    case 1:
        RCCE_recv(data, 8, 0);
        RCCE_bcast(data, sizeof data, 0, RCCE_COMM_WORLD);
        RCCE_recv(data, 8, 0);
        break;
    }
    return 0;
}
