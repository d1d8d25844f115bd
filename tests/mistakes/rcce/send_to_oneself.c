// A UE sends to itself.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core \d\d: RCCE_send failed at main \(send_to_oneself\.c:20\): UE \d is the caller itself; the program did not look at the error that it returned
// expect-stderr: hint: a UE cannot send to itself: copy the data

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int sent = 5, got = 0;
    RCCE_init(&argc, &argv);
    int me = RCCE_ue();
#ifdef MENDED
    got = sent;
#else
    RCCE_send((char *)&sent, sizeof sent, me);
    RCCE_recv((char *)&got, sizeof got, me);
#endif
    printf("UE %d got %d\n", me, got);
    RCCE_finalize();
    return 0;
}
