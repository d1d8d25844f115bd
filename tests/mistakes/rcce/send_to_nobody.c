// A UE sends to a number beyond the last UE; the UE that should receive waits for ever.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: rck: core 00: RCCE_send failed at main \(send_to_nobody.c:23\): no such UE: 2 \(UEs are 0 to 1\)
// expect-stderr: send-refused: UE 1 receives 4 bytes from UE 0, and RCCE_send of UE 0 at main \(send_to_nobody.c:23\) was refused: no such UE: 2 \(UEs are 0 to 1\)
// expect-stderr: hint: mend the arguments of the send that was refused

#include "RCCE.h"

#ifdef MENDED
enum { BEYOND = 1 };
#else
enum { BEYOND = 0 };
#endif

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
    RCCE_init(&argc, &argv);
    int me = RCCE_ue();
    if (me == 0)
        RCCE_send((char *)&number, sizeof number, RCCE_num_ues() - BEYOND);
    if (me == RCCE_num_ues() - 1)
        RCCE_recv((char *)&number, sizeof number, 0);
    RCCE_finalize();
    return 0;
}
