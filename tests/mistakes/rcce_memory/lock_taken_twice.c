// A UE acquires a lock that it holds already.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: lock-taken-twice: UE 0 waits in RCCE_acquire_lock for the lock of UE 0, which it holds itself
// expect-stderr: hint: RCCE's locks do not nest: release it before taking it again

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 0) {
        RCCE_acquire_lock(0);
#ifdef MENDED
        RCCE_release_lock(0);
#endif
        RCCE_acquire_lock(0);
        RCCE_release_lock(0);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
