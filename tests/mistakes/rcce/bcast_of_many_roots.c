// Each UE names itself as the root of a broadcast.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: collective-unequal: 2 UEs wait for each other within RCCE_bcast: UE 0 -> UE 1 -> UE 0
// expect-stderr: hint: all members must give the call one root, size and communicator

#include "RCCE.h"

#ifdef MENDED
#define ROOT 0
#else
#define ROOT RCCE_ue()
#endif

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int number = RCCE_ue();
    RCCE_bcast((char *)&number, sizeof number, ROOT, RCCE_COMM_WORLD);
    RCCE_finalize();
    return number;
}
