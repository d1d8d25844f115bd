// Size and UE of a message are exchanged.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-stderr: core 00: RCCE_send failed at main \(size_and_ue_exchanged\.c:21\): no such UE: 32 \(UEs are 0 to 1\)
// expect-stderr: hint: the size comes before the UE: RCCE_send\(buffer, size, UE\)

#include "RCCE.h"

#ifdef MENDED
#define TWO(size, ue) size, ue
#else
#define TWO(size, ue) ue, size
#endif

int RCCE_APP(int argc, char **argv)
{
    char buffer[32] = "a message";

    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 0)
        RCCE_send(buffer, TWO(sizeof buffer, 1));
    else
        RCCE_recv(buffer, TWO(sizeof buffer, 0));
    RCCE_finalize();
    return 0;
}
