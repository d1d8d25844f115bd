// UE 1 receives from UE 2, and UE 0 is the one that sends.
// cc: -O1 -g -lrcce
// run: -n 3
// expect-exit: 75
// expect-stderr: UE 1 receives 64 bytes from UE 2, which nobody sends
// expect-stderr: hint: add the receive; RCCE_send returns only when the message is fetched

#include "RCCE.h"

#ifdef MENDED
enum { SOURCE = 0 };
#else
enum { SOURCE = 2 };
#endif

int RCCE_APP(int argc, char **argv)
{
    static char buffer[64];
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 0)
        RCCE_send(buffer, sizeof buffer, 1);
    else if (RCCE_ue() == 1)
        RCCE_recv(buffer, sizeof buffer, SOURCE);
    RCCE_finalize();
    return 0;
}
